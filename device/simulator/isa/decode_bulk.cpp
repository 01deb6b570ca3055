// cp.async.bulk, cp.reduce.async.bulk, st.async and red.async (PTX ISA 9.0, 9.7.9.25.4, 9.7.9.12 and 9.7.13.8).
// Copies of tensors and compressed ones need sm_90a or later and are left out.
#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {
namespace {

constexpr Word kReductions[] = {Word::add, Word::min,  Word::max, Word::inc,
                                Word::dec, Word::and_, Word::or_, Word::xor_};

Word take_reduction(Key& key) {
  for (const Word w : kReductions) {
    if (key.take(w)) return w;
  }
  return Word::unknown;
}

/// Whether the reduction exists for the type (PTX ISA 9.0, 9.7.9.25.4.2), in global or in shared memory.
bool reduces(Word operation, Type type, bool global) {
  const bool half = type == Type::f16 || type == Type::bf16;
  switch (operation) {
    case Word::add:
      return type == Type::u32 || type == Type::s32 || type == Type::u64 ||
             (global && (half || type == Type::f32 || type == Type::f64));
    case Word::min:
    case Word::max:
      return type == Type::u32 || type == Type::s32 ||
             (global && (half || type == Type::u64 || type == Type::s64));
    case Word::inc:
    case Word::dec: return type == Type::u32;
    case Word::and_:
    case Word::or_:
    case Word::xor_: return type == Type::b32 || (global && type == Type::b64);
    default: return false;
  }
}

bool is_floating(Type t) {
  return t == Type::f16 || t == Type::bf16 || t == Type::f32 || t == Type::f64;
}

}  // namespace

bool FunctionDecoder::bulk(const Instruction& i, Key& key) {
  const auto ops = operands(i);
  if (!key.take(Word::async) || !key.take(Word::bulk)) return false;
  DecodedInstruction o;
  if (key.take(Word::commit_group)) {
    if (!key.all_taken() || !ops.empty()) return false;
    o.full = o.masked = handlers_.common.async.bulk_commit_group;
    emit(o);
    return true;
  }
  if (key.take(Word::wait_group)) {
    // A wait for the sources alone waits for the whole copy here. racecheck makes the difference.
    o.bulk_wait.read = key.take(Word::read);
    if (!key.all_taken() || ops.size() != 1 || ops[0].kind != Operand::Kind::immediate ||
        ops[0].bits > 0xffffffff)
      return false;
    o.full = o.masked = handlers_.common.async.bulk_wait_group;
    o.immediate = static_cast<std::int64_t>(ops[0].bits);
    emit(o);
    return true;
  }
  if (key.take(Word::prefetch)) {
    const bool level = key.take(Word::L2), space = key.take(Word::global),
               policy = key.take(Word::L2_cache_hint);
    if (!level || !space || !key.all_taken() || ops.size() != (policy ? 3u : 2u)) return false;
    AsyncDetail d;
    d.prefetch = true;
    d.source = async_address(ops[0], StateSpace::global, false);
    d.count = source_row(ops[1], Row::b32);
    if (policy) source_row(ops[2], Row::b64);
    emit_async(handlers_.common.async.bulk_copy, d, 16);
    return true;
  }
  return bulk_copy(i, key);
}

bool FunctionDecoder::bulk_copy(const Instruction& i, Key& key) {
  const auto ops = operands(i);
  AsyncDetail d;
  const bool reduce = key.take(Word::reduce);
  bool to_global = false;
  for (const Word w : key.modifiers()) {
    if (w == Word::global || w == Word::shared_cta || w == Word::shared_cluster) {
      to_global = w == Word::global;
      break;
    }
  }
  const bool global = key.take(Word::global), cluster = key.take(Word::shared_cluster),
             own = key.take(Word::shared_cta);
  // To global memory from the block; or to it, or to its cluster, from global memory; or from the block to its cluster.
  if (global + cluster + own != 2 || (to_global && !own) || (!cluster && !to_global && reduce))
    return false;
  if (reduce && (to_global ? cluster : !own)) return false;
  d.bulk_group = key.take(Word::bulk_group);
  const bool signals = key.take(Word::mbarrier_complete_tx_bytes);
  if (d.bulk_group == signals || d.bulk_group != to_global) return false;
  const bool multicast = key.take(Word::multicast_cluster);
  if (multicast && (!cluster || !global || to_global)) return false;
  const bool policy = key.take(Word::L2_cache_hint);
  if (policy && !global) return false;
  if (reduce) {
    if (key.take(Word::relaxed)) {
      bool scope = false;
      for (const Word w : {Word::cta, Word::cluster, Word::gpu, Word::sys})
        scope = scope || key.take(w);
      if (!scope) return false;
    }
    d.reduction = take_reduction(key);
    const bool noftz = key.take(Word::noftz);
    d.type = key.take_type();
    const bool half = d.type == Type::f16 || d.type == Type::bf16;
    if (!reduces(d.reduction, d.type, to_global)) return false;
    if (noftz != (half && d.reduction == Word::add)) return false;
    if (is_floating(d.type)) code_.order_matters = true;
  }
  const std::size_t count = 3 + (signals ? 1u : 0u) + (multicast ? 1u : 0u) + (policy ? 1u : 0u);
  if (!key.all_taken() || ops.size() != count) return false;
  d.target = async_address(ops[0], to_global ? StateSpace::global : StateSpace::shared, cluster);
  d.source =
      async_address(ops[1], to_global || !global ? StateSpace::shared : StateSpace::global, false);
  d.count = source_row(ops[2], Row::b32);
  if (signals) d.barrier = async_address(ops[3], StateSpace::shared, cluster);
  if (multicast) d.mask = source_row(ops[4], Row::b16);
  if (policy) source_row(ops.back(), Row::b64);
  emit_async(handlers_.common.async.bulk_copy, d, 16);
  code_.instructions[code_index_].load = !to_global;
  code_.instructions[code_index_].store = to_global;
  return true;
}

bool FunctionDecoder::store_async(const Instruction& i, Key& key) {
  const auto ops = operands(i);
  AsyncDetail d;
  key.take(Word::async);
  if (i.opcode == Word::st) {
    key.take(Word::weak);
    d.elements = key.take(Word::v2) ? 2 : key.take(Word::v4) ? 4 : 1;
  } else {
    if (key.take(Word::relaxed) != key.take(Word::cluster)) return false;
    d.reduction = take_reduction(key);
    if (d.reduction == Word::unknown) return false;
  }
  const bool cluster = key.take(Word::shared_cluster);
  const bool own = i.opcode == Word::st && (key.take(Word::shared) || key.take(Word::shared_cta));
  if (!key.take(Word::mbarrier_complete_tx_bytes)) return false;
  d.type = key.take_type();
  d.bytes = ptx::bytes_of(d.type);
  if (!key.all_taken() || ops.size() != 3 || (d.bytes != 4 && d.bytes != 8) ||
      d.bytes * d.elements > 16)
    return false;
  if (d.reduction != Word::unknown && !reduces(d.reduction, d.type, false)) return false;
  const StateSpace space = cluster || own ? StateSpace::shared : StateSpace::generic;
  d.target = async_address(ops[0], space, cluster);
  const Row row = d.type == Type::f32   ? Row::f32
                  : d.type == Type::f64 ? Row::f64
                  : d.bytes == 4        ? Row::b32
                                        : Row::b64;
  std::span<const Operand> values(&ops[1], 1);
  if (d.elements > 1) {
    if (ops[1].kind != Operand::Kind::vector || ops[1].count != d.elements) return false;
    values = std::span(module_.operands).subspan(ops[1].first, ops[1].count);
  }
  for (std::size_t k = 0; k < values.size(); ++k) d.values[k] = source_row(values[k], row);
  d.barrier = async_address(ops[2], space, cluster);
  code_.uses_cluster = true;
  const std::uint32_t bytes = d.bytes * d.elements;
  note_width(StateSpace::shared, d.bytes);
  emit_async(handlers_.common.async.store_async, d, bytes);
  code_.instructions[code_index_].load = false;
  code_.instructions[code_index_].store = true;
  return true;
}

}  // namespace warpbook::device::isa
