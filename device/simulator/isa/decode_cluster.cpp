// Clusters: mapa, getctarank, barrier.cluster, and addresses in shared::cluster (PTX ISA 9.0, 9.7.9.23, 9.7.9.24 and
// 9.7.13.3).
#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {

bool FunctionDecoder::cluster(const Instruction& i) {
  Key key(i.opcode, module_.modifiers_of(i));
  switch (i.opcode) {
    case Word::mapa:
    case Word::getctarank: return map_address(i, key);
    case Word::barrier: {
      if (!key.take(Word::cluster)) return false;
      const bool arrives = key.take(Word::arrive), waits = key.take(Word::wait);
      key.take(Word::aligned);
      bool relaxed = false;
      if (arrives)
        relaxed = !key.take(Word::release) && key.take(Word::relaxed);
      else
        key.take(Word::acquire);
      if (arrives == waits || !key.all_taken() || !operands(i).empty()) return false;
      code_.uses_cluster = true;
      code_.instructions[code_index_].counts_as = CountedAs::barrier;
      end_block(Exit::cluster_barrier, waits ? 1 : relaxed ? 2 : 0, true);
      return true;
    }
    default: return false;
  }
}

bool FunctionDecoder::map_address(const Instruction& i, Key& key) {
  const auto ops = operands(i);
  const bool maps = i.opcode == Word::mapa, generic = !key.take(Word::shared_cluster);
  const Type type = key.take_type();
  if ((type != Type::u32 && type != Type::u64 && type != Type::s64) || !key.all_taken() ||
      ops.size() != (maps ? 3u : 2u))
    return false;
  code_.uses_cluster = true;
  const Row row = type == Type::u32 ? Row::b32 : Row::b64;
  DecodedInstruction o;
  o.full = o.masked =
      maps ? handlers_.common.cluster.map_address : handlers_.common.cluster.rank_of_address;
  o.bytes = static_cast<std::uint8_t>(bytes_of(row));
  o.cluster_address.generic = generic;
  if (generic && type == Type::u32) return false;  // no register of 32 bits holds a generic address
  o.a = source_row(ops[1], row);
  if (maps) o.b = source_row(ops[2], Row::b32);
  o.d = destination_row(ops[0], maps ? row : Row::b32);
  if (o.d == kNone) return false;
  emit(o);
  return true;
}

/// Turns an operation's address, which is one of shared::cluster, into a generic one.
void FunctionDecoder::cluster_window(DecodedInstruction& o, bool& narrow) {
  code_.uses_cluster = true;
  DecodedInstruction window;
  window.full = window.masked = handlers_.common.cluster.window;
  window.a = o.a;
  window.immediate = o.immediate;
  window.bytes = narrow ? 4 : 8;
  window.d = scratch_;
  emit(window, true);
  o.a = scratch_;
  o.immediate = 0;
  narrow = false;
}

}  // namespace warpbook::device::isa
