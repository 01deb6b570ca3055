// The file system that a program in a box sees where the kernel gives it namespaces: the listed places under their own names,
// and nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device/box/landlock.hpp"
#include "device/box/refusal.hpp"

namespace warpbook::device::runtime {

/// Gives this process the rights of root over itself alone, and the processes that it starts from now on a number space of
/// their own, in which the first of them is number 1.
Refusal enter_user_namespace();

/// For a process of that number space: gives it namespaces of its own, without network, and `places` as its file system. The
/// folder `temporary` is its /tmp. Its processes can be `most` at a time.
Refusal enter_program_root(std::span<const Place> places, const std::string& temporary,
                           std::uint32_t most);

/// The places that this file system has beside those listed.
std::vector<Place> places_of_root();

}  // namespace warpbook::device::runtime
