// stacksave, stackrestore and alloca.
#include <bit>

#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {

bool FunctionDecoder::stack(const Instruction& i) {
  const bool save = i.opcode == Word::stacksave, restore = i.opcode == Word::stackrestore;
  if (!save && !restore && i.opcode != Word::alloca) return false;
  constexpr std::uint64_t kAlignment = 8, kMostAligned = 128;
  const auto ops = operands(i);
  Key key(i.opcode, module_.modifiers_of(i));
  const Type type = key.take_type();
  if (!key.all_taken() || (type != Type::u32 && type != Type::u64)) return false;
  const Row row = type == Type::u32 ? Row::b32 : Row::b64;
  DecodedInstruction o;
  o.bytes = static_cast<std::uint8_t>(bytes_of(row));
  if (save) {
    if (ops.size() != 1) return false;
    o.full = handlers_.common.stack.save;
  } else if (restore) {
    if (ops.size() != 1) return false;
    o.full = handlers_.common.stack.restore;
    o.a = source_row(ops[0], row);
  } else {
    if (ops.size() != 2 && ops.size() != 3) return false;
    const std::uint64_t alignment = ops.size() == 3 ? ops[2].bits : kAlignment;
    if ((ops.size() == 3 && ops[2].kind != Operand::Kind::immediate) ||
        !std::has_single_bit(alignment) || alignment > kMostAligned)
      return false;
    o.full = handlers_.common.stack.allocate;
    o.immediate = static_cast<std::int64_t>(alignment);
    o.a = source_row(ops[1], row);
  }
  if (!restore) {
    o.d = destination_row(ops[0], row);
    if (o.d == kNone) return false;
  }
  o.masked = o.full;
  code_.uses_stack = true;
  emit(o);
  return true;
}

}  // namespace warpbook::device::isa
