#include "device/runtime/program_filter.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "device/box/seccomp_program.hpp"

// Numbers that the C library of Debian 12 does not name yet.
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_setxattrat
#define SYS_setxattrat 463
#define SYS_removexattrat 466
#endif
#ifndef SYS_file_setattr
#define SYS_file_setattr 469
#endif
#ifndef SYS_open_tree_attr
#define SYS_open_tree_attr 467
#endif

namespace warpbook::device::runtime {
namespace {

constexpr std::uint32_t kRefused = SeccompProgram::fail_with(EPERM);
constexpr std::uint32_t kAbsent = SeccompProgram::fail_with(ENOSYS);

constexpr std::array kForbidden{
    // The network, and the services of this computer that listen on a Unix socket: some start programs for whoever asks.
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    // Other processes
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_kcmp,
    SYS_pidfd_getfd,
    SYS_pidfd_send_signal,
    SYS_migrate_pages,
    SYS_move_pages,
    // Memory and queues that processes find by a number
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_semget,
    SYS_semop,
    SYS_semctl,
    SYS_mq_open,
    SYS_mq_unlink,
    // Namespaces and what is mounted
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_open_tree,
    SYS_open_tree_attr,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
    // Owners
    SYS_fchown,
    SYS_fchownat,
#ifdef SYS_chown
    SYS_chown,
    SYS_lchown,
#endif
    // Parts of the kernel in which many errors were found, or that the computer's owner alone uses
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_quotactl_fd,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_syslog,
    SYS_vhangup,
    SYS_lookup_dcookie,
#ifdef __x86_64__
    SYS_kexec_file_load,
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
#endif
};

// Landlock keeps what is in files, but not their metadata; file_setattr and its like change them by name.
constexpr std::array kMetadata{
#ifdef SYS_chmod
    SYS_chmod,       SYS_utime,        SYS_utimes,        SYS_futimesat,
#endif
    SYS_fchmodat,    SYS_fchmodat2,    SYS_setxattr,      SYS_lsetxattr,    SYS_setxattrat,
    SYS_removexattr, SYS_lremovexattr, SYS_removexattrat, SYS_file_setattr, SYS_inotify_add_watch,
};

constexpr std::uint32_t kNewNamespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC |
                                         CLONE_NEWUTS | CLONE_NEWPID | CLONE_NEWCGROUP;

/// Typing for the user: what a program puts into the terminal's input, the shell would run after it. And signals that the
/// kernel sends for a file, to whomever the program names.
void refuse_typing_and_file_signals(SeccompProgram& program) {
  constexpr std::uint32_t kSetOwner = 0x8901, kSetSocketOwner = 0x8902;  // FIOSETOWN, SIOCSPGRP
  constexpr std::array<std::uint32_t, 4> kControls{TIOCSTI, TIOCLINUX, kSetOwner, kSetSocketOwner};
  constexpr std::uint32_t kSetOwnerEx = 15;  // F_SETOWN_EX
  constexpr std::array<std::uint32_t, 2> kFileCalls{F_SETOWN, kSetOwnerEx};
  program.judge_value(SYS_ioctl, 1, kControls, kRefused, SeccompProgram::kAllow);
  program.judge_value(SYS_fcntl, 1, kFileCalls, kRefused, SeccompProgram::kAllow);
}

void refuse_signals(SeccompProgram& program, const FilterNeeds& needs) {
  if (needs.signals_kept) return;
  if (needs.own_numbers) {
    // A process group is no number: the group's other processes, Warpbook and its shell, have none here.
    constexpr std::array<std::uint32_t, 1> kOwnGroup{0};
    program.judge_value(SYS_kill, 0, kOwnGroup, kRefused, SeccompProgram::kAllow);
    return;
  }
  // The program keeps this process's number; what it starts can only be ended by itself.
  const std::array self{static_cast<std::uint32_t>(::getpid())};
  for (const long number : {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo})
    program.judge_value(number, 0, self, SeccompProgram::kAllow, kRefused);
  program.judge(SYS_tkill, kRefused);
}

}  // namespace

Refusal enter_program_filter(const FilterNeeds& needs) {
  SeccompProgram program;
  program.begin();
  program.refuse_x32(kRefused);
  for (const long number : kForbidden) program.judge(number, kRefused);
  if (!needs.own_files) {
    for (const long number : kMetadata) program.judge(number, kRefused);
    program.judge_pointer(SYS_utimensat, 1, kRefused);  // without a name: of an open file
  }
  program.judge_socket_pairs(kRefused);
  // The C library goes on to clone where there is no clone3, whose flags a filter cannot see.
  program.judge(SYS_clone3, kAbsent);
  program.judge_bits(SYS_clone, 0, kNewNamespaces, kRefused);
  constexpr std::array<std::uint32_t, 1> kSelf{0};
  program.judge_value(SYS_prlimit64, 0, kSelf, SeccompProgram::kAllow, kRefused);
  refuse_typing_and_file_signals(program);
  refuse_signals(program, needs);
  program.finish(SeccompProgram::kAllow);
  if (const int number = program.enter(); number != 0) return refused("seccomp", number);
  return std::nullopt;
}

}  // namespace warpbook::device::runtime
