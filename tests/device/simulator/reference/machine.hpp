// The reference interpreter itself, in parts: interpreter.cpp (threads, control flow),
// operands.cpp, access.cpp (memory), meeting.cpp (where threads wait), tally.cpp (counters).
#pragma once

#include <functional>
#include <span>

#include "tests/device/simulator/reference/state.hpp"

namespace warpbook::device::tests::reference {

class Machine {
 public:
  Machine(const Request& request, Result& result);
  void run();

 private:
  using Instruction = ptx::Instruction;
  using Operand = ptx::Operand;

  // interpreter.cpp
  void run_block();
  /// Runs until the thread waits or ends.
  void run_thread(Thread& t);
  void step(Thread& t);
  void control(Thread& t, const Instruction& i, bool& moved);
  void call(Thread& t, const Instruction& i);
  void return_from(Thread& t);
  void compute(Thread& t, const Instruction& i);
  void move(Thread& t, const Instruction& i);
  void enter(Thread& t, const ptx::Function& function, std::uint64_t place);
  const Loops& loops_of(const ptx::Function& function);

  // operands.cpp
  [[nodiscard]] std::span<const Operand> operands(const Instruction& i) const {
    return module_.operands_of(i);
  }
  [[nodiscard]] std::span<const Operand> parts(const Operand& o) const {
    return std::span(module_.operands).subspan(o.first, o.count);
  }
  Scalar scalar_of(const Instruction& i) const;
  const ptx::Variable* variable(const Thread& t, const Operand& o) const;
  std::uint64_t address_of(const Thread& t, const Operand& o) const;
  Wide special(const Thread& t, const Operand& o) const;
  static Wide register_of(const Thread& t, std::uint32_t index);
  Wide read(const Thread& t, const Operand& o, bool wide_reals) const;
  void write(Thread& t, const Operand& o, Wide value) const;
  static int register_bytes(const Thread& t, const Operand& o);
  bool predicate(const Thread& t, const Operand& o) const { return (read(t, o, false) & 1) != 0; }
  void lay_out();
  void initialise(const ptx::Variable& variable, Region& region) const;

  // access.cpp
  bool memory(Thread& t, const Instruction& i, Group& group);
  void load_or_store(Thread& t, const Instruction& i, Group& group);
  void parameter_access(Thread& t, const Instruction& i, const Scalar& s, std::size_t elements);
  void atomic(Thread& t, const Instruction& i, Group& group);
  std::uint64_t address(const Thread& t, const Operand& o) const;
  /// Faults where two threads may touch a byte in either order: that program has no one result.
  void note_touch(const Thread& t, Space space, std::uint64_t address, std::uint32_t bytes,
                  bool writes);
  /// The bytes at an address, and the space that they turn out to be in.
  std::uint8_t* bytes_at(Thread& t, Space& space, std::uint64_t& address, std::uint32_t bytes);
  void note_access(Thread& t, Group& group, Space space, std::uint64_t address, std::uint32_t bytes,
                   AccessKind kind) const;

  // meeting.cpp
  static bool meets(Word opcode, std::span<const Word> modifiers);
  bool settle_lanes();
  bool settle_barrier();
  void exchange(const std::vector<Thread*>& members);
  const Instruction& current(const Thread& t) const;

  // tally.cpp
  Group& note(Thread& t, const Instruction& i, bool active);
  void finish_block();
  void finish();

  const Request& request_;
  Result& result_;
  const ptx::Module& module_;
  const ptx::Function* kernel_ = nullptr;
  std::vector<Region> variables_;                         ///< of the module
  std::map<const ptx::Variable*, std::uint64_t> places_;  ///< of variables, in their spaces
  std::map<const ptx::Function*, std::uint32_t> local_bytes_;
  std::uint32_t shared_bytes_ = 0;
  std::map<const ptx::Function*, Loops> loops_;
  std::unordered_map<const Instruction*, std::uint64_t> executed_;  ///< by threads
  Block block_;
  std::map<std::uint64_t, Touch> global_touches_;  ///< of bytes in global memory that were written
};

}  // namespace warpbook::device::tests::reference
