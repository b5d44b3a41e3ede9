/**
 * Rules of the first filter, for everything in the run sandbox: bubblewrap's init, loader, launcher, supervisor.
 *
 * A list of what is denied, because these are ours and differ by distribution; what they never need, and what
 * is of use only to break out, is taken from all of them. Candidate code runs under the second filter as well.
 */
import { allow, loadArg, type Program, when } from "./seccomp-bpf.ts";
import {
  all,
  denied,
  exceptBits,
  exceptWith,
  onlyWith,
  personalityQuery,
  type Rules,
  signalOwner,
  tracing,
  unknown,
} from "./seccomp-rules.ts";

/** What the outer filter lets through beyond the least. */
export interface OuterOptions {
  /** Sockets of all kinds, within the sandbox's own network namespace. */
  readonly network?: boolean;
}

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const newNamespace = 0x7e020000;
const addressNoRandomize = 0x00040000;
const listenerFlag = 0x8;
const prctlOption = { setMm: 35, setSyscallUserDispatch: 59, schedCore: 62 } as const;
/** TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP. */
const harmfulIoctls = [0x5412, 0x541c, 0x8901, 0x8902];
const unixDomain = 1;

/** What is denied, or allowed with conditions. Any other call is allowed. */
export function outerRules(options: OuterOptions = {}): Rules {
  const rules: [string, Program][] = [
    ...wholeCalls(),
    ...byArgument(),
    // The socket families are the largest part of the kernel that needs no privilege; nothing here needs one.
    ["socket", options.network ? allow : denied],
    // A pair reaches nobody else, and the launcher may hand one half to what it starts.
    ["socketpair", options.network ? allow : onlyWith(0, [unixDomain])],
  ];
  return new Map(rules);
}

function wholeCalls(): [string, Program][] {
  return [
    // Another view of the file system, or a handle to what is outside of this one.
    ...all(denied, "mount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick"),
    ...all(denied, "mount_setattr name_to_handle_at open_by_handle_at fanotify_init fanotify_mark"),
    // New namespaces give new privileges inside them, and with those most of the kernel's bugs.
    ...all(denied, "unshare setns"),
    // Programs in the kernel, and races that are won by stopping it at a page of one's choice.
    ...all(denied, "bpf perf_event_open userfaultfd"),
    // Makes other calls on a caller's behalf, which no filter sees. Libraries fall back.
    ...all(unknown, "io_uring_setup io_uring_enter io_uring_register"),
    // Keyrings are not namespaced.
    ...all(denied, "add_key request_key keyctl"),
    ...all(denied, "kexec_load kexec_file_load init_module finit_module delete_module create_module"),
    // Reaches into another process, or past the numbers that the rules on signals look at.
    ...all(denied, "process_vm_readv process_vm_writev process_madvise process_mrelease kcmp"),
    ...all(denied, "pidfd_open pidfd_getfd pidfd_send_signal"),
    // A file that no mount option keeps from being mapped or run.
    ...all(denied, "memfd_create memfd_secret"),
    // Who makes itself starve would be taken for the victim of a busy machine, and get no verdict.
    // The launcher gives test and candidate a core each, so that the inner filter alone denies sched_setaffinity.
    ...all(denied, "setpriority sched_setscheduler sched_setparam sched_setattr ioprio_set"),
    ...all(denied, "mbind set_mempolicy set_mempolicy_home_node migrate_pages move_pages"),
    // The machine's own settings; all need privileges that nobody here has, and none is worth trying.
    ...all(denied, "quotactl quotactl_fd swapon swapoff acct reboot syslog settimeofday clock_settime"),
    ...all(denied, "clock_adjtime adjtimex sethostname setdomainname vhangup nfsservctl lookup_dcookie"),
    // Old, little tested ways into the processor's and the loader's state.
    ...all(denied, "modify_ldt iopl ioperm uselib _sysctl sysfs ustat remap_file_pages"),
    // Its flags lie in memory, where a filter can't look: glibc falls back to clone.
    ...all(unknown, "clone3"),
  ];
}

function byArgument(): [string, Program][] {
  const harmfulPrctls = Object.values(prctlOption);
  return [
    ["clone", exceptBits(0, newNamespace)],
    // LeakSanitizer stops the threads of its own process; process 1 is bubblewrap.
    ["ptrace", tracing(2)],
    // READ_IMPLIES_EXEC would undo the rules on executable memory; TSan runs itself again without randomisation.
    ["personality", onlyWith(0, [personalityQuery, 0, addressNoRandomize])],
    // A listener answers other processes' calls in the kernel's place.
    ["seccomp", loadArg(1, when({ op: "anyBit", k: listenerFlag }, denied, allow))],
    // Dispatch to user space lets a process swallow its own exit; the others change what a debugger trusts.
    ["prctl", exceptWith(0, harmfulPrctls)],
    // Types into a terminal, or aims a signal at any process.
    ["ioctl", exceptWith(1, harmfulIoctls)],
    ["fcntl", exceptWith(1, Object.values(signalOwner))],
  ];
}
