// The system calls that a boxed compile may make.
#pragma once

namespace warpbook::device {

/// Leaves this process only the system calls that a warm NVRTC needs: on memory, on clocks, and on the descriptors that it
/// has. Calls that name a file trap (SIGSYS), so that the file broker answers them; every other call fails with EPERM. No memory
/// can become executable any more. Returns 0, or the errno of the call that the system refused. Needs no_new_privs.
int close_with_seccomp(int broker_socket);

}  // namespace warpbook::device
