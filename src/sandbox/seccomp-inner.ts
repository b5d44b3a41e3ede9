/**
 * Rules of the second filter, for candidate code: set in its process when everything is mapped.
 *
 * A list of what is allowed, because nothing of the system's own starts here any more: what C++ libraries and
 * the sanitizers' runtimes use after start-up is known, and calls of future kernels stay closed. What isn't
 * named fails with ENOSYS, on which libraries fall back.
 */
import { allow, loadArg, type Program, when, whenOneOf } from "./seccomp-bpf.ts";
import {
  all,
  denied,
  exceptBits,
  fromPid,
  noTerminal,
  onlyNull,
  onlyWith,
  personalityQuery,
  type Rules,
  tracing,
  unknown,
} from "./seccomp-rules.ts";

/** What the inner filter lets through beyond the least. */
export interface InnerOptions {
  /** Sockets of all kinds, within the sandbox's own network namespace. */
  readonly network?: boolean;
  /** New processes: for tests that run parts of themselves in one, such as death tests. */
  readonly allowFork?: boolean;
  /** Other programs. They map their libraries, so that this gives up the rules on executable memory too. */
  readonly allowExec?: boolean;
}

/** The launcher puts the process's own id in the place of this number. */
export const ownPid = 0x7fffaaaa;
/** bubblewrap's init is 1, the launcher that supervises 2. */
const firstPidOfChild = 3;
/** VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID: what pthread_create asks for. */
const threadFlags = 0x003d0f00;
/** VM, FS, FILES, UNTRACED and no signal at its end: LeakSanitizer's tracer (seen by strace, g++ 12). */
const tracerFlags = 0x00800700;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const newNamespace = 0x7e020000;
const protExec = 4;

/** What is allowed, with or without conditions, and what fails otherwise than with ENOSYS. */
export function innerRules(options: InnerOptions = {}): Rules {
  const rules: [string, Program][] = [
    ...files(),
    ...memory(options),
    ...timeAndThreads(),
    ...processes(options),
    ...signals(options),
    ...settings(options),
    ...refused(),
    ...sockets(options),
  ];
  return new Map(rules);
}

function files(): [string, Program][] {
  return [
    ...all(allow, "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek"),
    ...all(allow, "open openat openat2 creat close close_range dup dup2 dup3 pipe pipe2 umask flock"),
    ...all(allow, "stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2"),
    ...all(allow, "getcwd chdir fchdir getdents getdents64 mkdir mkdirat rmdir unlink unlinkat"),
    ...all(allow, "rename renameat renameat2 link linkat symlink symlinkat readlink readlinkat"),
    ...all(allow, "chmod fchmod fchmodat fchmodat2 utime utimes utimensat futimesat truncate ftruncate"),
    ...all(allow, "fallocate fadvise64 readahead fsync fdatasync sync_file_range sendfile copy_file_range"),
    ...all(allow, "select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait"),
    ...all(allow, "epoll_pwait2 eventfd eventfd2"),
    // TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: is it a terminal, how much is there to read.
    ["ioctl", onlyWith(1, [0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451], noTerminal)],
    // Duplicates, flags, locks, pipe sizes; not SETOWN and SETSIG, by which the kernel would kill the supervisor.
    ["fcntl", onlyWith(1, [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 16, 36, 37, 38, 1030, 1031, 1032])],
  ];
}

function memory(options: InnerOptions): [string, Program][] {
  // No new executable memory: the test's text stays what it is.
  const data = options.allowExec ? allow : exceptBits(2, protExec);
  return [
    ...all(allow, "brk munmap madvise mincore msync mlock mlock2 munlock mlockall munlockall"),
    ...all(data, "mmap mprotect pkey_mprotect"),
    // Moves a candidate's own executable page over the test's. glibc's realloc copies instead.
    ...all(denied, "mremap remap_file_pages"),
  ];
}

function timeAndThreads(): [string, Program][] {
  return [
    ...all(allow, "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times"),
    ...all(allow, "alarm getitimer setitimer timer_create timer_settime timer_gettime timer_getoverrun"),
    ...all(allow, "timer_delete timerfd_create timerfd_settime timerfd_gettime"),
    ...all(allow, "futex futex_waitv futex_wake futex_wait futex_requeue set_robust_list rseq membarrier"),
    ...all(allow, "set_tid_address sched_yield sched_getaffinity sched_getparam sched_getscheduler getcpu"),
    ...all(allow, "sched_get_priority_max sched_get_priority_min sched_rr_get_interval getpriority"),
    ...all(allow, "getrandom uname sysinfo getrusage getrlimit capget exit exit_group restart_syscall"),
    ...all(allow, "getpid gettid getppid getpgrp getpgid getsid getuid geteuid getgid getegid"),
    ...all(allow, "getresuid getresgid getgroups"),
  ];
}

function processes(options: InnerOptions): [string, Program][] {
  const fork = options.allowFork ? allow : denied;
  const exec = options.allowExec ? allow : denied;
  const sameNamespace = options.allowFork ? when({ op: "anyBit", k: newNamespace }, denied, allow) : denied;
  return [
    // Threads, and the tracer without which no leak is found.
    ["clone", loadArg(0, whenOneOf([threadFlags, tracerFlags], allow, sameNamespace))],
    // Its flags lie in memory, where a filter can't look: glibc falls back to clone.
    ["clone3", unknown],
    ...all(fork, "fork vfork"),
    ...all(exec, "execve execveat"),
    // The end of a tracer, a child or nobody.
    ...all(allow, "wait4 waitid"),
    ["ptrace", tracing(firstPidOfChild)],
  ];
}

function signals(options: InnerOptions): [string, Program][] {
  const itself = onlyWith(0, [ownPid]);
  // What was forked has an id of its own, and must be able to abort.
  const children = options.allowFork ? loadArg(0, fromPid(firstPidOfChild)) : itself;
  return [
    ...all(allow, "rt_sigprocmask rt_sigpending rt_sigtimedwait rt_sigsuspend rt_sigreturn sigaltstack"),
    ...all(allow, "pause signalfd signalfd4"),
    // SIGTRAP: with the trap flag set, a handler would run between any two instructions of the test.
    // SIGSYS and glibc's own 33: all that TSan's background thread takes. To ask for the present handler is free.
    ["rt_sigaction", loadArg(0, whenOneOf([5, 31, 33], onlyNull(1), allow))],
    // Never the supervisor, init, a group, or everybody.
    ...all(children, "kill tgkill rt_sigqueueinfo rt_tgsigqueueinfo"),
    // Names a thread without its process; glibc and the sanitizers use tgkill.
    ["tkill", denied],
  ];
}

const prctlOption = {
  setParentDeathSignal: 1,
  setDumpable: 4,
  /** Death signal, dumpable, name (both ways), bounding set, securebits, timer slack, seccomp, no new privileges. */
  harmless: [2, 3, 15, 16, 23, 27, 30, 21, 39],
  setPtracer: 0x59616d61,
} as const;
const sigkill = 9;
const ownLimits = loadArg(0, when({ op: "equals", k: 0 }, allow, onlyNull(2)));

function settings(options: InnerOptions): [string, Program][] {
  const { setParentDeathSignal, setDumpable, harmless, setPtracer } = prctlOption;
  const dumpable = when({ op: "equals", k: setDumpable }, onlyWith(1, [1]), denied);
  const deathSignal = when({ op: "equals", k: setParentDeathSignal }, onlyWith(1, [sigkill]), dumpable);
  return [
    // LeakSanitizer's tracer asks to be let in and to die with its parent. Denied is the rest: a seccomp filter or
    // system call dispatch of the candidate's own could turn the exit after a failed check into a no-op.
    ["prctl", loadArg(0, whenOneOf([...harmless, setPtracer], allow, deathSignal))],
    // GET_FS and GET_GS; threads get theirs from clone, but a new program's loader sets its own (SET_FS).
    // Faulting CPUID and the like would stop the runtimes.
    ["arch_prctl", onlyWith(0, options.allowExec ? [0x1002, 0x1003, 0x1004] : [0x1003, 0x1004])],
    ["personality", onlyWith(0, [personalityQuery])],
    // Limits are read, not set: those of the supervisor could be lowered until it dies. A new program's ASan
    // sets its own (process 0).
    ["prlimit64", options.allowExec ? ownLimits : onlyNull(2)],
  ];
}

function refused(): [string, Program][] {
  return [
    // A filter of the candidate's own: see prctl.
    ["seccomp", denied],
    // What honest code may try and takes EPERM for an answer.
    ...all(denied, "setrlimit setpriority sched_setscheduler sched_setparam"),
    ...all(denied, "sched_setattr sched_setaffinity ioprio_set chown fchown lchown fchownat mknod mknodat"),
    ...all(denied, "setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups capset"),
    ...all(
      denied,
      "setpgid setsid chroot mount umount2 unshare setns sethostname settimeofday clock_settime",
    ),
    ...all(denied, "modify_ldt memfd_create memfd_secret process_vm_readv process_vm_writev process_madvise"),
    ...all(denied, "pidfd_open pidfd_getfd pidfd_send_signal perf_event_open bpf userfaultfd"),
  ];
}

function sockets(options: InnerOptions): [string, Program][] {
  if (!options.network) return all(denied, "socket socketpair");
  return [
    ...all(allow, "socket socketpair bind listen accept accept4 connect shutdown getsockname getpeername"),
    ...all(allow, "getsockopt setsockopt sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg"),
  ];
}
