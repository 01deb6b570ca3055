// A root of the file system with nothing in it.
#pragma once

#include "device/box/refusal.hpp"

namespace warpbook::device {

/// Makes a new, empty tmpfs the root and the current folder of this process, and lets go of the old one. `options` are those
/// of tmpfs. Needs a mount namespace of its own and the right to mount in it.
Refusal enter_empty_root(const char* options);

/// Nothing can be made, changed or removed in the root itself any more.
Refusal make_root_read_only();

}  // namespace warpbook::device
