// The main function of a worker process, `warpbook worker KIND`.
#pragma once

#include <span>

namespace warpbook::device {

/// `args` are the words after "worker": the kind. Returns the exit code: 0 when the owner hung up,
/// 2 for a kind that there is not.
int worker_main(std::span<char*> args);

}  // namespace warpbook::device
