/* Stands in for the C library's <assert.h> in test units. It may be included again and again, does not know
 * NDEBUG, puts no text of the test into the binary, and counts every check of the test's own text. */
#undef assert
#ifdef __cplusplus
extern "C" {
#define HO_NOEXCEPT noexcept
#else
#define HO_NOEXCEPT
#if !defined static_assert && (!defined __STDC_VERSION__ || __STDC_VERSION__ < 202311L)
#define static_assert _Static_assert
#endif
#endif
void ho_check_passed(unsigned line) HO_NOEXCEPT __attribute__((visibility("hidden")));
void ho_check_failed(unsigned line, unsigned foreign) HO_NOEXCEPT __attribute__((visibility("hidden"), noreturn));
#ifdef __cplusplus
}
#endif
#undef HO_NOEXCEPT

/* The pipe gives the test's own text names that begin with '='; constant evaluation must stay possible. */
#define HO_OWN_TEXT (__FILE__[0] == '=')
#ifdef __cplusplus
#define assert(expression)                                                                                     \
  (static_cast<bool>(expression)                                                                               \
       ? (__builtin_is_constant_evaluated() || !HO_OWN_TEXT ? void(0) : ho_check_passed(__LINE__))              \
       : ho_check_failed(__LINE__, HO_OWN_TEXT ? 0u : 1u))
#else
#define assert(expression)                                                                                     \
  ((expression) ? (HO_OWN_TEXT ? ho_check_passed(__LINE__) : (void)0) : ho_check_failed(__LINE__, HO_OWN_TEXT ? 0u : 1u))
#endif
