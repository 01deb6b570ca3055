// What `warpbook worker KIND` does: the whole life of a worker process.
#pragma once

#include <span>

namespace warpbook::device {

/// The descriptor on which a worker finds its end of the channel.
inline constexpr int kWorkerChannelFd = 3;

/// `args` are the words after "worker": the kind. Returns the exit code: 0 when the owner hung up,
/// 2 for a kind that there is not.
int worker_main(std::span<char*> args);

}  // namespace warpbook::device
