/** Names that a macro may not take: keywords, and names of the library that tests rely on. */

const list = (text: string): string[] => text.trim().split(/\s+/);

/** Keywords of C++23, alternative tokens, and words that act like keywords. */
export const keywords: ReadonlySet<string> = new Set(
  list(`
  alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
  co_return co_yield compl concept const consteval constexpr constinit const_cast continue decltype default delete do
  double dynamic_cast else enum explicit export extern false final float for friend goto if import inline int long module
  mutable namespace new noexcept not not_eq nullptr operator or or_eq override private protected public register
  reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this
  thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
  __attribute__ __attribute __asm__ __asm __extension__ __restrict __inline __inline__ __const __volatile__ __thread
`),
);

/** Keywords that older libraries define where the compiler lacks them; whether they survive is looked at after preprocessing. */
export const polyfilled: ReadonlySet<string> = new Set(list("constinit consteval char8_t concept requires"));

/** What tests call and compare with; a macro of such a name changes what they mean. */
export const libraryNames: ReadonlySet<string> = new Set(
  list(`
  main assert NDEBUG std
  abort exit atexit terminate malloc calloc realloc free memcpy memmove memset memcmp strcmp strncmp strlen strcpy strstr
  printf fprintf puts fputs fflush snprintf stdin stdout stderr cin cout cerr clog endl
  size data begin end cbegin cend rbegin rend empty front back push push_back push_front pop pop_back pop_front top insert
  erase emplace emplace_back find count at get value has_value value_or reset swap move forward exchange clear resize reserve
  capacity first second equal sort find_if all_of any_of none_of count_if accumulate iota min max abs
  string string_view vector deque array list map set unordered_map unordered_set optional nullopt variant visit tuple
  make_tuple tie pair make_pair unique_ptr shared_ptr make_unique make_shared function thread mutex lock_guard unique_lock
  atomic condition_variable future promise async initializer_list numeric_limits is_same is_same_v declval decay_t
  size_t ptrdiff_t nullptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t byte
  exception runtime_error logic_error invalid_argument out_of_range length_error bad_alloc what
  NULL EOF EXIT_SUCCESS EXIT_FAILURE RAND_MAX CHAR_BIT INT_MAX INT_MIN LONG_MAX SIZE_MAX UINT_MAX
  INT32_MAX INT32_MIN INT64_MAX INT64_MIN UINT32_MAX UINT64_MAX DBL_MAX DBL_EPSILON
`),
);

/** Reserved names that ask a library for a feature: the usual ones, set before an include. */
export const featureMacros: ReadonlySet<string> = new Set(
  list(`
  _GNU_SOURCE _DEFAULT_SOURCE _BSD_SOURCE _SVID_SOURCE _POSIX_SOURCE _POSIX_C_SOURCE _XOPEN_SOURCE _XOPEN_SOURCE_EXTENDED
  _ISOC99_SOURCE _ISOC11_SOURCE _LARGEFILE_SOURCE _LARGEFILE64_SOURCE _FILE_OFFSET_BITS _REENTRANT _THREAD_SAFE
  __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS __STDC_CONSTANT_MACROS __STDC_WANT_LIB_EXT1__ __STDC_WANT_IEC_60559_BFP_EXT__
  _USE_MATH_DEFINES _CRT_SECURE_NO_WARNINGS _CRT_SECURE_NO_DEPRECATE _CRT_NONSTDC_NO_DEPRECATE _SCL_SECURE_NO_WARNINGS
  _WIN32_WINNT _WINSOCKAPI_ _WINSOCK_DEPRECATED_NO_WARNINGS _DARWIN_C_SOURCE _ALL_SOURCE __USE_MINGW_ANSI_STDIO
  _SILENCE_ALL_CXX17_DEPRECATION_WARNINGS _SILENCE_CXX17_ITERATOR_BASE_CLASS_DEPRECATION_WARNING
`),
);

/** Reserved names that steer the compiler, the library's checks, or the sanitizers. */
export const steering =
  /^(_GLIBCXX|_LIBCPP|__GNUC|__GNU|__GLIBC|__GLIBCXX|__glibcxx|__cplusplus|__SANITIZE|_FORTIFY_SOURCE|__builtin|__has_|__assert|__ASSERT|_ASSERT_H|__NO_|__OPTIMIZE|__DEPRECATED|__EXCEPTIONS|__cpp_|__clang|__x86_64|__linux|__unix|__BYTE_ORDER|__SIZEOF|__INT|__UINT|__LONG|__SIZE_|__PTRDIFF|__CHAR|__SHRT|__SCHAR|__FLT|__DBL|__LDBL|__STDC|__STRICT_ANSI|__THROW|__BEGIN_|__END_|__nonnull|__wur|__va_|__asan|__lsan|__ubsan|__tsan|__USE_|__REDIRECT|__need|__LP64|_LP64|__FILE__|__LINE__|__DATE__|__TIME__|__func__|__FUNCTION__|__PRETTY_FUNCTION__|_Pragma|_Static_assert|_Generic|_Noreturn|_Thread_local|_Alignas|_Atomic)/;
