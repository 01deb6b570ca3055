// The process that enters a program's box, `warpbook worker boxed`.
#pragma once

namespace warpbook::device::runtime {

/// Reads its order (kBoxOrderFd), starts the program in the box, waits for it and ends as it did. Nothing that the program
/// started outlives it.
[[noreturn]] void boxed_main();

}  // namespace warpbook::device::runtime
