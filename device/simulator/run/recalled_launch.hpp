// A launch that a memo may know already.
#pragma once

#include "device/launch_memo.hpp"
#include "device/program.hpp"
#include "device/simulator/run/launch.hpp"

namespace warpbook::device {

/// Of all of it that a launch depends on.
Fingerprint fingerprint_of(const Program& program);

/// As run(). Where `memo` has a launch of the same kernel of the same program, with the same arguments, geometry, observation and
/// memory, nothing is simulated: memory and record become what they became then, its `seconds` included. A launch is not kept where
/// it could depend on, or leave, more than that: allocations of the kernel's own, memory that memcheck does not guard or that another
/// process may write, a launch that was stopped; nor where looking at what its memory holds would cost more than most kernels.
Expected<LaunchRecord> run_or_recall(const RunRequest& request, const Fingerprint& program,
                                     LaunchMemo& memo);

}  // namespace warpbook::device
