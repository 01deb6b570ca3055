// The generator in parts: generator.cpp (the whole program), statements.cpp (control flow),
// accesses.cpp (memory, and what lanes do together).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/device/simulator/reference/generator.hpp"
#include "tests/device/simulator/reference/writer.hpp"

namespace warpbook::device::tests::reference {

inline constexpr std::uint32_t kSharedSlot = 32, kLocalBytes = 64, kConstBytes = 64,
                               kMostThreads = 96;

/// Statements, until the budget is spent.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : w_(seed) {}
  Program run();

 private:
  struct LoopLabels {
    std::string next, end;
    bool may_leave = false;  ///< lanes may leave it in the midst of a turn
  };

  void function(int number);
  void prologue();
  void epilogue();
  void statements(int depth, std::uint64_t count);
  void statement(int depth);
  void branch(int depth);
  void loop(int depth);
  void table(int depth);
  void gotos();
  void call();
  void load_input();
  void own_memory();
  void vector_access();
  void parameter();
  void constant();
  void accumulate();
  void own_atomic();
  void barrier_exchange();
  void meeting();
  /// A 64-bit register that holds an aligned place within `bytes` bytes behind `base`.
  std::string place(const std::string& base, std::uint32_t bytes, std::uint32_t access);
  void result(char kind, const std::string& before, const std::string& after);

  Writer w_;
  Program p_;
  std::uint64_t budget_ = 0;
  int functions_ = 0;
  bool in_kernel_ = false, atomics_that_return_ = false;
  std::string members_ = "-1";  ///< lanes that are here together; empty where that is not known
  std::vector<LoopLabels> loops_;
};

}  // namespace warpbook::device::tests::reference
