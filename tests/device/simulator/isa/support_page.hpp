// docs/ptx-support.md, made from the table of instructions.
#pragma once

#include <string>

namespace warpbook::device::tests {

std::string support_page();

}  // namespace warpbook::device::tests
