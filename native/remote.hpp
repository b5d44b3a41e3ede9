// Process separation, the C++ of it: how values go over the wire, for the generated proxy of a class (in the
// test's process) and for the generated server unit (in the candidate's). See docs/isolation.md.
#ifndef HO_REMOTE_HPP
#define HO_REMOTE_HPP
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 201703L
#include <optional>
#include <string_view>
#endif

extern "C" {
const unsigned char* ho_remote_call(unsigned operation, unsigned object, const void* arguments, std::size_t size,
                                    int posted, std::size_t* reply_size);
void ho_remote_release(void);
[[noreturn]] void ho_remote_malformed(void);
unsigned ho_remote_new_object(void);
void ho_remote_free_object(unsigned object);
}

namespace ho_remote {

// Plain memory and few instantiations: this is compiled anew for each candidate.
class Writer {
public:
    Writer() = default;
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { std::free(long_); }
    void bytes(const void* from, std::size_t count) {
        if (count == 0) return;
        if (size_ + count > room_) grow(size_ + count);
        std::memcpy((long_ != nullptr ? long_ : short_) + size_, from, count);
        size_ += count;
    }
    void byte(unsigned char value) { bytes(&value, 1); }
    void clear() { size_ = 0; }
    const unsigned char* data() const { return long_ != nullptr ? long_ : short_; }
    std::size_t size() const { return size_; }

private:
    __attribute__((noinline)) void grow(std::size_t least) {
        const std::size_t room = least * 2;
        void* const more = std::realloc(long_, room);
        if (more == nullptr) throw std::bad_alloc();
        if (long_ == nullptr) std::memcpy(more, short_, size_);
        long_ = static_cast<unsigned char*>(more);
        room_ = room;
    }

    std::size_t size_ = 0, room_ = sizeof short_;
    unsigned char* long_ = nullptr;
    unsigned char short_[128];
};

// What is read comes from the other process: every length and every flag is checked.
class Reader {
public:
    Reader(const unsigned char* data, std::size_t size) : at_(data), left_(size) {}
    const unsigned char* bytes(std::size_t count) {
        if (count > left_) ho_remote_malformed();
        const unsigned char* const here = at_;
        at_ += count;
        left_ -= count;
        return here;
    }
    unsigned char byte() { return *bytes(1); }
    bool flag() {
        const unsigned char value = byte();
        if (value > 1) ho_remote_malformed();
        return value == 1;
    }
    std::size_t length() { // each element takes at least a byte
        std::size_t count;
        std::memcpy(&count, bytes(sizeof count), sizeof count);
        if (count > left_) ho_remote_malformed();
        return count;
    }
    void end() const {
        if (left_ != 0) ho_remote_malformed();
    }

private:
    const unsigned char* at_;
    std::size_t left_;
};

template <class T> struct Always : std::false_type {};

template <class T, class = void> struct Wire {
    static_assert(Always<T>::value,
                  "a value of this type can't be proxied: see docs/isolation.md for those that can");
};

template <> struct Wire<bool> {
    static void put(Writer& out, bool value) { out.byte(value ? 1 : 0); }
    static bool take(Reader& in) { return in.flag(); }
};

template <class T>
struct Wire<T, typename std::enable_if<(std::is_arithmetic<T>::value || std::is_enum<T>::value) &&
                                       !std::is_same<T, long double>::value>::type> {
    static void put(Writer& out, T value) { out.bytes(&value, sizeof value); }
    static T take(Reader& in) {
        T value;
        std::memcpy(&value, in.bytes(sizeof value), sizeof value);
        return value;
    }
};

template <> struct Wire<std::string> {
    static void put(Writer& out, const std::string& value) {
        const std::size_t size = value.size();
        out.bytes(&size, sizeof size);
        out.bytes(value.data(), size);
    }
    static std::string take(Reader& in) {
        const std::size_t size = in.length();
        return std::string(reinterpret_cast<const char*>(in.bytes(size)), size);
    }
};

template <class T> struct Wire<std::vector<T>> {
    static void put(Writer& out, const std::vector<T>& value) {
        const std::size_t size = value.size();
        out.bytes(&size, sizeof size);
        for (std::size_t i = 0; i < size; ++i) Wire<T>::put(out, value[i]);
    }
    static std::vector<T> take(Reader& in) {
        std::vector<T> value;
        for (std::size_t left = in.length(); left > 0; --left) value.push_back(Wire<T>::take(in));
        return value;
    }
};

template <class A, class B> struct Wire<std::pair<A, B>> {
    static void put(Writer& out, const std::pair<A, B>& value) {
        Wire<A>::put(out, value.first);
        Wire<B>::put(out, value.second);
    }
    static std::pair<A, B> take(Reader& in) {
        A first = Wire<A>::take(in);
        return std::pair<A, B>(std::move(first), Wire<B>::take(in));
    }
};

#if __cplusplus >= 201703L
template <class T> struct Wire<std::optional<T>> {
    static void put(Writer& out, const std::optional<T>& value) {
        out.byte(value.has_value() ? 1 : 0);
        if (value.has_value()) Wire<T>::put(out, *value);
    }
    static std::optional<T> take(Reader& in) {
        if (!in.flag()) return std::nullopt;
        return Wire<T>::take(in);
    }
};

// Only ever a parameter: `take` gives what the view will look at.
template <> struct Wire<std::string_view> {
    static void put(Writer& out, std::string_view value) {
        const std::size_t size = value.size();
        out.bytes(&size, sizeof size);
        out.bytes(value.data(), size);
    }
    static std::string take(Reader& in) { return Wire<std::string>::take(in); }
};
#endif

enum Exception : unsigned char {
    unknown, exception, bad_alloc, bad_array_new_length, logic_error, domain_error, invalid_argument, length_error,
    out_of_range, runtime_error, range_error, overflow_error, underflow_error, exception_count
};

// ---- the test's side ----

[[noreturn]] inline void raise(unsigned char kind, const std::string& text) {
    switch (kind) {
    case exception: throw std::runtime_error(text);
    case bad_alloc: throw std::bad_alloc();
    case bad_array_new_length: throw std::bad_array_new_length();
    case logic_error: throw std::logic_error(text);
    case domain_error: throw std::domain_error(text);
    case invalid_argument: throw std::invalid_argument(text);
    case length_error: throw std::length_error(text);
    case out_of_range: throw std::out_of_range(text);
    case range_error: throw std::range_error(text);
    case overflow_error: throw std::overflow_error(text);
    case underflow_error: throw std::underflow_error(text);
    default: throw std::runtime_error(text);
    }
}

template <class R> struct Answer {
    static R from(Reader& in) {
        R value = Wire<R>::take(in);
        in.end();
        return value;
    }
};
template <> struct Answer<void> {
    static void from(Reader& in) { in.end(); }
};

struct Release {
    Release() = default;
    Release(const Release&) = delete;
    Release& operator=(const Release&) = delete;
    ~Release() { ho_remote_release(); }
};

template <class R, class... A> R call(unsigned operation, unsigned object, const A&... arguments) {
    Writer out;
    (void)std::initializer_list<int>{0, (Wire<A>::put(out, arguments), 0)...};
    std::size_t size = 0;
    const unsigned char* const reply = ho_remote_call(operation, object, out.data(), out.size(), 0, &size);
    const Release release;
    Reader in(reply, size);
    if (!in.flag()) return Answer<R>::from(in);
    const unsigned char kind = in.byte();
    const std::string text = Wire<std::string>::take(in);
    in.end();
    if (kind >= exception_count) ho_remote_malformed();
    raise(kind, text);
}

template <class... A> void post(unsigned operation, unsigned object, const A&... arguments) {
    Writer out;
    (void)std::initializer_list<int>{0, (Wire<A>::put(out, arguments), 0)...};
    (void)ho_remote_call(operation, object, out.data(), out.size(), 1, nullptr);
}

// The number that names an object of the candidate's process.
struct Handle {
    Handle() : number(ho_remote_new_object()) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { ho_remote_free_object(number); }
    const unsigned number;
};

// ---- the candidate's side ----

struct Slot {
    void* object;
    void (*end)(void*);
};

struct Slots {
    Slot* all;
    std::size_t count;
};

inline Slots& slots() {
    static Slots kept = {nullptr, 0};
    return kept;
}

// The slot of a new object, made where there is none.
inline Slot& free_slot(unsigned number) {
    Slots& kept = slots();
    if (kept.count <= number) {
        const std::size_t count = number * std::size_t{2} + 16;
        void* const more = std::realloc(kept.all, count * sizeof(Slot));
        if (more == nullptr) throw std::bad_alloc();
        kept.all = static_cast<Slot*>(more);
        for (std::size_t i = kept.count; i < count; ++i) kept.all[i] = Slot{nullptr, nullptr};
        kept.count = count;
    }
    if (kept.all[number].object != nullptr) ho_remote_malformed();
    return kept.all[number];
}

template <class C> void end_object(void* object) {
    static_cast<C*>(object)->~C();
    std::free(object);
}

// From malloc, which the launcher fills with noise; an object too big for that gets its noise here.
inline void* new_storage(std::size_t size, std::size_t alignment) {
    const std::size_t whole = (size + alignment - 1) / alignment * alignment;
    void* const room = alignment <= alignof(std::max_align_t) ? std::malloc(whole) : ::aligned_alloc(alignment, whole);
    if (room == nullptr) throw std::bad_alloc();
    if (whole > 4096) std::memset(room, 0xA7, whole);
    return room;
}

struct Storage {
    explicit Storage(void* room) : room_(room) {}
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    ~Storage() { std::free(room_); }
    void* release() {
        void* const room = room_;
        room_ = nullptr;
        return room;
    }
    void* get() const { return room_; }

private:
    void* room_;
};

template <class C, class... A> void create(unsigned number, A&&... arguments) {
    Slot& slot = free_slot(number);
    Storage storage(new_storage(sizeof(C), alignof(C)));
    ::new (storage.get()) C(std::forward<A>(arguments)...);
    slot = Slot{storage.release(), end_object<C>};
}

inline Slot& slot(unsigned number) {
    const Slots& kept = slots();
    if (number >= kept.count || kept.all[number].object == nullptr) ho_remote_malformed();
    return kept.all[number];
}

inline void destroy(unsigned number) {
    Slot& kept = slot(number);
    const Slot ended = kept;
    kept = Slot{nullptr, nullptr};
    ended.end(ended.object);
}

inline void destroy_all() {
    const Slots& kept = slots();
    for (std::size_t i = kept.count; i > 0; --i)
        if (kept.all[i - 1].object != nullptr) destroy(static_cast<unsigned>(i - 1));
}

template <class C> C& object(unsigned number) { return *static_cast<C*>(slot(number).object); }

inline unsigned char kind_of(const std::exception& e) {
    if (dynamic_cast<const std::bad_array_new_length*>(&e)) return bad_array_new_length;
    if (dynamic_cast<const std::bad_alloc*>(&e)) return bad_alloc;
    if (dynamic_cast<const std::domain_error*>(&e)) return domain_error;
    if (dynamic_cast<const std::invalid_argument*>(&e)) return invalid_argument;
    if (dynamic_cast<const std::length_error*>(&e)) return length_error;
    if (dynamic_cast<const std::out_of_range*>(&e)) return out_of_range;
    if (dynamic_cast<const std::logic_error*>(&e)) return logic_error;
    if (dynamic_cast<const std::range_error*>(&e)) return range_error;
    if (dynamic_cast<const std::overflow_error*>(&e)) return overflow_error;
    if (dynamic_cast<const std::underflow_error*>(&e)) return underflow_error;
    if (dynamic_cast<const std::runtime_error*>(&e)) return runtime_error;
    return exception;
}

inline void put_exception(Writer& out, unsigned char kind, const char* text) {
    out.clear();
    out.byte(1);
    out.byte(kind);
    const std::size_t size = strnlen(text, 1000);
    out.bytes(&size, sizeof size);
    out.bytes(text, size);
}

// Runs one call; `serve` decodes the arguments and encodes the result.
template <class Serve>
std::size_t answer(const unsigned char* arguments, std::size_t size, const unsigned char** reply, Serve serve) {
    static Writer out;
    out.clear();
    out.byte(0);
    Reader in(arguments, size);
    try {
        serve(in, out);
    } catch (const std::exception& e) {
        put_exception(out, kind_of(e), e.what());
    } catch (...) {
        put_exception(out, unknown, "an exception that is no std::exception");
    }
    *reply = out.data();
    return out.size();
}

} // namespace ho_remote
#endif
