/** Names of the C library and the runtimes that honest code asks for: computing, memory, text, standard streams, threads, time. */

const list = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Functions and objects that a candidate may newly ask for. Left out on purpose: files by name, processes, signals,
 * ends of the program, environment, loading, mapping, raw system calls, networks; and what copies memory where
 * AddressSanitizer has no interceptor (`wmemcpy`, `mempcpy`, `memccpy`, `swab`, `lsearch`, `fmemopen`).
 */
const names: ReadonlySet<string> = new Set(
  list(`
  abort abs labs llabs div ldiv lldiv atof atoi atol atoll strtod strtof strtold strtol strtoll strtoul strtoull
  strtoimax strtoumax imaxabs imaxdiv qsort qsort_r bsearch lfind tsearch tfind tdelete twalk
  rand srand rand_r random srandom drand48 erand48 lrand48 nrand48 mrand48 jrand48 srand48 getrandom getentropy arc4random
  malloc calloc realloc reallocarray free aligned_alloc posix_memalign memalign valloc malloc_usable_size
  memcpy memmove memset memcmp memchr memrchr memmem rawmemchr explicit_bzero bzero bcmp
  strlen strnlen strcpy strncpy stpcpy stpncpy strcat strncat strlcpy strlcat strcmp strncmp strcasecmp strncasecmp strcoll
  strxfrm strchr strrchr strchrnul strstr strcasestr strspn strcspn strpbrk strtok strtok_r strsep strdup strndup
  strerror strerror_r strsignal strverscmp ffs ffsl ffsll index rindex
  printf vprintf fprintf vfprintf sprintf vsprintf snprintf vsnprintf asprintf vasprintf puts fputs putchar putc fputc
  putchar_unlocked fputc_unlocked fwrite fwrite_unlocked fflush fflush_unlocked perror
  scanf vscanf fscanf vfscanf sscanf vsscanf getchar getc fgetc ungetc fgets getline getdelim fread feof ferror clearerr
  getchar_unlocked getc_unlocked setvbuf setbuf flockfile funlockfile stdin stdout stderr isatty
  fseek ftell fseeko ftello rewind fgetpos fsetpos open_memstream fclose
  toupper tolower isalpha isdigit isalnum isspace isupper islower ispunct isprint isgraph iscntrl isxdigit isblank isascii
  toascii towupper towlower towctrans wctrans wctype iswctype iswalpha iswdigit iswalnum iswspace iswupper iswlower iswpunct
  iswprint iswgraph iswcntrl iswxdigit iswblank
  wcslen wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp wcschr wcsrchr wcsstr wcsspn wcscspn wcspbrk wcstok wcscoll wcsxfrm
  wmemcmp wmemchr wcstol wcstoll wcstoul wcstoull wcstod wcstof wcstold swprintf vswprintf wprintf
  fwprintf btowc wctob mbrtowc wcrtomb mbsrtowcs wcsrtombs mbsnrtowcs wcsnrtombs mbtowc wctomb mblen mbrlen mbstowcs wcstombs
  mbsinit mbrtoc16 c16rtomb mbrtoc32 c32rtomb mbrtoc8 c8rtomb iconv iconv_open iconv_close fputwc fputws fgetwc putwchar
  time difftime mktime gmtime gmtime_r localtime localtime_r timegm asctime asctime_r ctime ctime_r strftime strptime wcsftime
  clock clock_gettime clock_getres clock_nanosleep gettimeofday nanosleep usleep sleep timespec_get tzset
  localeconv setlocale newlocale freelocale duplocale uselocale nl_langinfo
  sched_yield sched_getcpu sysconf get_nprocs getpagesize gettid
  thrd_create thrd_join thrd_detach thrd_yield thrd_sleep thrd_current thrd_equal mtx_init mtx_lock mtx_trylock mtx_timedlock
  mtx_unlock mtx_destroy cnd_init cnd_signal cnd_broadcast cnd_wait cnd_timedwait cnd_destroy call_once tss_create tss_get
  tss_set tss_delete sem_init sem_wait sem_post sem_trywait sem_timedwait sem_clockwait sem_destroy sem_getvalue
  htonl htons ntohl ntohs inet_ntop inet_pton alloca basename dirname fnmatch regcomp regexec regfree regerror
  fegetround fesetround feclearexcept fetestexcept feraiseexcept fegetexceptflag fesetexceptflag fegetenv fesetenv
  feholdexcept feupdateenv
  __errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __ctype_get_mb_cur_max __assert_fail
  __assert_perror_fail __stack_chk_fail __stack_chk_guard __tls_get_addr __libc_single_threaded __memcpy_chk __dso_handle
  __isoc99_scanf __isoc99_sscanf __isoc99_fscanf __isoc99_vsscanf __isoc99_swscanf __isoc23_sscanf __isoc23_scanf
  __isoc23_fscanf __isoc23_vsscanf __xpg_strerror_r __xpg_basename __strdup __strtok_r __rawmemchr __sysconf
  __signbit __signbitf __signbitl __fpclassify __fpclassifyf __fpclassifyl __isnan __isinf __finite
  __dynamic_cast __gxx_personality_v0 __gcc_personality_v0 __once_proxy __emutls_get_address __cpu_model __cpu_indicator_init
  __cpu_features2 _Unwind_Resume _Unwind_Resume_or_Rethrow _Unwind_DeleteException _Unwind_GetIP _ITM_registerTMCloneTable
  _ITM_deregisterTMCloneTable __gmon_start__ __cxa_finalize _GLOBAL_OFFSET_TABLE_ __rdseed
  `),
);

const families: readonly RegExp[] = [
  // Mathematics: real, float, long double, sized floats; complex.
  /^(a?(sin|cos|tan)h?|sincos|atan2|exp(2|10|m1)?|pow|pow10|log(2|10|1p|b)?|ilogb|sqrt|cbrt|hypot|ceil|floor|trunc|round(even)?|l?l(round|rint)|rint|nearbyint|fmod|remainder|drem|remquo|fdim|fmax|fmin|fma|fabs|copysign|nan|next(after|toward|up|down)|frexp|ldexp|scalbl?n?|modf|erfc?|[lt]gamma|gamma|lgamma_r|j[01n]|y[01n]|significand|finite|isnan|isinf|c(abs|arg|conj|exp|log|pow|proj|real|imag|sqrt|a?(sin|cos|tan)h?))(f|l|f32|f64|f128|f16|f32x|f64x)?$/,
  /^__\w+_finite$/,
  /^__(printf|fprintf|sprintf|snprintf|vprintf|vfprintf|vsprintf|vsnprintf|asprintf|vasprintf|mem(cpy|move|set)|str\w+|stp\w+|wcs\w+|fgets|fread|fdelt|longjmp|explicit_bzero|mbs\w+|wcrtomb|swprintf)_chk$/,
  /^pthread_(mutex|mutexattr|cond|condattr|rwlock|rwlockattr|spin|barrier|barrierattr|attr|key)_\w+$/,
  /^pthread_(create|join|detach|self|equal|once|getspecific|setspecific|yield|setname_np|getname_np|timedjoin_np|tryjoin_np|clockjoin_np|getcpuclockid|getconcurrency)$/,
  // The language's runtime, and the compiler's helpers for wide integers, floats and atomics.
  /^__cxa_(allocate_exception|free_exception|init_primary_exception|throw|rethrow|begin_catch|end_catch|get_exception_ptr|current_exception_type|get_globals|get_globals_fast|bad_cast|bad_typeid|throw_bad_array_new_length|throw_bad_array_length|pure_virtual|deleted_virtual|guard_acquire|guard_release|guard_abort|atexit|thread_atexit|demangle|call_unexpected|call_terminate|vec_\w+|uncaught_exceptions?)$/,
  /^__(u?div|u?mod|u?divmod|mul|ash[lr]|lshr|neg|cmp|ucmp|c[lt]z|ffs|parity|popcount|bswap|abs|add|sub|mulv|addv|subv|negv|absv)(v?[sdt]i[234]?|d[if]3)$/,
  /^__(fix|float|extend|trunc|powi|eq|ne|lt|le|gt|ge|unord)\w*[sdtxhb][if]\w*$/,
  /^__(mul|div|add|sub|neg)(sf|df|xf|tf|sc|dc|xc|tc|hf|bf|hc)[23]$/,
  /^__(atomic|sync)_\w+$/,
  // What instrumentation emits by itself.
  /^__asan_(init|version_mismatch_check_v\d+|(un)?register_(elf_)?globals|(before|after)_dynamic_init|report_(exp_)?(load|store)(\d+|_n)(_noabort)?|(exp_)?(load|store)(N|\d+)(_noabort)?|handle_no_return|stack_(malloc|free)_(always_)?\d+|option_detect_stack_use_after_return|(un)?poison_stack_memory|(un)?poison_cxx_array_cookie|load_cxx_array_cookie|alloca_poison|allocas_unpoison|set_shadow_\w+|shadow_memory_dynamic_address|mem(cpy|set|move)|(un)?register_image_globals)$/,
  /^__ubsan_(handle_\w+|vptr_type_cache)$/,
  /^__tsan_(init|func_(entry|exit)|(unaligned_)?(volatile_)?(read|write|read_write)(_range|\d+)?(_pc)?|vptr_(update|read)|atomic\w+|mem(cpy|set|move)|ignore_thread_(begin|end))$/,
  /^__msan_(init|chain_origin|warning\w*|maybe_\w+|mem\w+|poison_\w+|(un)?poison_alloca\w*|param_\w+|retval_\w+|va_arg_\w+|set_alloca_origin\w*|track_origins|keep_going|instrument_asm_store|origin_tls)$/,
  /^__hwasan_\w+$/,
  /^__sanitizer_(ptr_(cmp|sub)|annotate_(contiguous|double_ended_contiguous)_container|cov_\w+)$/,
  /^__(gcov_\w+|llvm_\w+|sancov_\w+)$/,
];

/** Whether asking for a name of C linkage is harmless. */
export function isHarmlessName(name: string): boolean {
  return names.has(name) || families.some((family) => family.test(name));
}

/** A part of the C++ library that gives more than computing. */
export interface Facility {
  /** For `allow`, as in `symbol-use:files`. */
  readonly word: string;
  readonly message: string;
  readonly pattern: RegExp;
  /** Words by which a source speaks of it. */
  readonly spelled: readonly string[];
}

export const facilities: readonly Facility[] = [
  {
    word: "files",
    message: "opens files by name",
    pattern: /St1[34]basic_(filebuf|ifstream|ofstream|fstream)|stdio_(file|sync_file)buf|St12__basic_file/,
    spelled: [
      "ifstream",
      "ofstream",
      "fstream",
      "filebuf",
      "basic_fstream",
      "basic_ifstream",
      "basic_ofstream",
    ],
  },
  {
    word: "filesystem",
    message: "looks at or changes the file system",
    pattern: /St10filesystem/,
    spelled: ["filesystem"],
  },
  {
    word: "handlers",
    message: "replaces a handler of the whole program",
    pattern:
      /^_ZSt(13set_terminate|14set_unexpected|15set_new_handler)|^_ZN10__cxxabiv1\d+__(terminate|unexpected)/,
    spelled: ["set_terminate", "set_unexpected", "set_new_handler"],
  },
  {
    word: "wide-copies",
    message: "copies memory where no sanitizer watches",
    pattern: /basic_stringIwSt11char_traitsIwE\w*E4copyEPw/,
    spelled: ["wstring", "basic_string"],
  },
  {
    word: "stacktrace",
    message: "looks at the stack of its callers",
    pattern: /St10stacktrace|St16basic_stacktrace|St16stacktrace_entry/,
    spelled: ["stacktrace", "basic_stacktrace"],
  },
];

/** What a C++ name of the library gives access to, if that is more than computing. */
export function facilityOf(name: string): Facility | undefined {
  return facilities.find(({ pattern }) => pattern.test(name));
}
