// The system calls that a boxed compile may make.
#pragma once

namespace warpbook::device {

/// Closes the process to all calls but those that a warm NVRTC needs on memory, clocks and
/// descriptors that it holds; those that name a file trap (SIGSYS) for the door; every other one
/// fails with EPERM. Nothing executable can be mapped. 0, or the errno of what the system refused.
/// Needs no_new_privs.
int close_with_seccomp(int door_socket);

/// False where this processor's calls are not known here.
bool seccomp_is_known_here();

}  // namespace warpbook::device
