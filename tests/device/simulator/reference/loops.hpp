// The loops of a function, by the textbook: a back edge leads to an instruction that dominates it.
// The reference tells by them which lanes of a warp are in step.
#pragma once

#include <cstdint>
#include <vector>

#include "device/simulator/ptx/module.hpp"

namespace warpbook::device::tests::reference {

struct Loop {
  std::uint32_t head = 0;
  std::vector<bool> body;  ///< by instruction
};

struct Loops {
  std::vector<Loop> all;  ///< outer ones before those that they enclose
  /// False where a loop has several entries, or several ways back to its head, or one that begins in
  /// an inner loop: lanes may then be in different turns of it, and nothing can be said of lanes in step.
  bool in_step = true;
};

/// Instructions that may run after `at`; the count of instructions stands for the function's end.
std::vector<std::uint32_t> successors(const ptx::Module& module, const ptx::Function& function,
                                      std::uint32_t at);

Loops find_loops(const ptx::Module& module, const ptx::Function& function);

}  // namespace warpbook::device::tests::reference
