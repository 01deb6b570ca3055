// initcheck: tracks undefined values from instruction to instruction. A value is undefined if it comes from memory that was never written.
#pragma once

#include <cstdint>

#include "device/simulator/isa/code.hpp"
#include "device/simulator/state/context.hpp"

namespace warpbook::device {

/// Keeps each frame's masks of undefined lanes. Its functions are to be called while Context::tainted, that is, while some
/// register of the running frame is undefined in some lane.
class UndefinedTracker {
 public:
  UndefinedTracker(Context& context, const isa::Code& code) : context_(context), code_(code) {}

  /// Before an instruction runs: finds the lanes of its result that will be undefined, if one operand alone may determine the result.
  void foresee(const DecodedInstruction& operation);
  /// After it ran: marks the lanes of its results, and reports what it let depend on undefined values.
  void propagate(const DecodedInstruction& operation);
  /// A branch, a barrier or a call through a register, executed by `lanes`, that depends on undefined values.
  void decide_exit(const BasicBlock& block, std::uint32_t lanes);

 private:
  void store_undefined(const DecodedInstruction& operation, const isa::Dependence& dependence,
                       std::uint32_t lanes);

  Context& context_;
  const isa::Code& code_;
  std::uint32_t foreseen_ = 0;  ///< lanes whose result will be undefined
};

}  // namespace warpbook::device
