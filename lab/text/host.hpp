// What the machine that we run on is called, and what time it is there.
#pragma once

#include <string>

namespace warpbook::lab {

/// "AMD EPYC 9654 96-Core Processor": from /proc/cpuinfo; "this CPU" where it does not say.
const std::string& cpu_name();

/// ISO 8601, UTC, to the second.
std::string now_iso();

}  // namespace warpbook::lab
