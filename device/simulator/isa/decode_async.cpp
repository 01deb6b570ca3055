// cp.async and mbarrier (PTX ISA 9.0, 9.7.9.25.3 and 9.7.13.15).
#include "device/simulator/isa/decoder.hpp"

namespace warpbook::device::isa {
namespace {

/// Takes .shared, .shared::cta or .shared::cluster; without one of them the address is generic.
void take_shared(Key& key, StateSpace& space, bool& cluster) {
  space = StateSpace::shared;
  cluster = false;
  if (key.take(Word::shared) || key.take(Word::shared_cta)) return;
  if (key.take(Word::shared_cluster))
    cluster = true;
  else
    space = StateSpace::generic;
}

/// A memory order and its scope: an instruction has both or neither.
bool take_order(Key& key, std::span<const Word> orders) {
  bool order = false, scope = false;
  for (const Word w : orders) order = order || key.take(w);
  for (const Word w : {Word::cta, Word::cluster}) scope = scope || key.take(w);
  return order == scope;
}

}  // namespace

bool FunctionDecoder::asynchronous(const Instruction& i) {
  Key key(i.opcode, module_.modifiers_of(i));
  switch (i.opcode) {
    case Word::mbarrier: code_.uses_async = true; return mbarrier(i, key);
    case Word::cp:
      code_.uses_async = true;
      return key.has(Word::bulk) ? bulk(i, key) : async_copy(i, key);
    case Word::st:
    case Word::red:
      if (!key.has(Word::async)) return false;
      code_.uses_async = true;
      return store_async(i, key);
    case Word::fence:
    case Word::membar:
    case Word::griddepcontrol: return fence(i, key);
    default: return false;
  }
}

/// Fences change no memory here, because a host thread runs its blocks in one order, which all of their threads observe.
/// Only racecheck needs them. A kernel in which blocks may observe each other's writes runs on one host thread (9.7.13.4,
/// 9.7.13.13).
bool FunctionDecoder::fence(const Instruction& i, Key& key) {
  bool wide = key.is(Word::griddepcontrol), of_block = false;
  std::size_t operands = 0;
  if (key.is(Word::griddepcontrol)) {
    if (!key.take(Word::launch_dependents) && !key.take(Word::wait)) return false;
  } else if (key.is(Word::membar) && !key.has(Word::proxy)) {
    wide = key.has(Word::gl) || key.has(Word::sys);
    of_block = !wide;
    if (!key.take(Word::cta) && !key.take(Word::gl) && !key.take(Word::sys)) return false;
  } else if (key.take(Word::proxy)) {
    if (key.take(Word::tensormap_generic)) {
      const bool acquires = key.take(Word::acquire);
      if (!acquires && !key.take(Word::release)) return false;
      if (acquires) operands = 2;
    } else if (key.take(Word::async_generic)) {
      const bool acquires = key.take(Word::acquire);
      if (!acquires && !key.take(Word::release)) return false;
      if (!key.take(acquires ? Word::sync_restrict_shared_cluster : Word::sync_restrict_shared_cta))
        return false;
    } else if (key.take(Word::async)) {
      key.take(Word::global) || key.take(Word::shared_cta) || key.take(Word::shared_cluster);
    } else if (!key.take(Word::alias)) {
      return false;
    }
    for (const Word w : {Word::cta, Word::cluster, Word::gpu, Word::sys}) key.take(w);
  } else {
    const bool init = key.take(Word::mbarrier_init) || key.take(Word::op_restrict_mbarrier_init);
    for (const Word w : {Word::sc, Word::acq_rel, Word::acquire, Word::release}) key.take(w);
    key.take(Word::sync_restrict_shared_cluster) || key.take(Word::sync_restrict_shared_cta);
    bool scope = false;
    for (const Word w : {Word::cta, Word::cluster, Word::gpu, Word::sys}) {
      if (!key.take(w)) continue;
      scope = true;
      wide = wide || w == Word::gpu || w == Word::sys;
      of_block = w == Word::cta;
    }
    if (!scope || (init && wide)) return false;
  }
  if (!key.all_taken() || this->operands(i).size() != operands) return false;
  if (wide) code_.order_matters = true;
  DecodedInstruction o;
  o.full = o.masked =
      key.is(Word::griddepcontrol) ? handlers_.common.nothing : handlers_.common.fence;
  code_.instructions[code_index_].of_block = of_block;
  emit(o);
  return true;
}

AsyncAddress FunctionDecoder::async_address(const Operand& a, StateSpace space, bool cluster) {
  DecodedInstruction o;
  AsyncAddress address;
  // An instruction may have several addresses. initcheck treats the last one as an address and the others as values.
  const std::uint32_t before = code_.dependences[code_index_].address;
  this->address(a, space, o, address.narrow);
  if (before != kNone) code_.dependences[code_index_].reads.push_back(before);
  address.row = o.a;
  address.addend = o.immediate;
  address.space = space;
  address.cluster = cluster;
  if (cluster) code_.uses_cluster = true;
  return address;
}

void FunctionDecoder::emit_async(Handler handler, AsyncDetail detail, std::uint32_t memo_bytes) {
  DecodedInstruction o;
  o.full = o.masked = handler;
  o.f = static_cast<std::uint32_t>(code_.asyncs.size());
  code_.asyncs.push_back(detail);
  if (memo_bytes != 0) {
    CodeInstruction& info = code_.instructions[code_index_];
    o.memo = info.memo = code_.memos++;
    info.access_bytes = static_cast<std::uint8_t>(memo_bytes);
    info.load = true;
  }
  emit(o);
}

bool FunctionDecoder::async_copy(const Instruction& i, Key& key) {
  const auto ops = operands(i);
  if (!key.take(Word::async)) return false;
  AsyncDetail d;
  if (key.take(Word::mbarrier)) {
    if (!key.take(Word::arrive) || ops.size() != 1) return false;
    d.no_increment = key.take(Word::noinc);
    StateSpace space;
    bool cluster;
    take_shared(key, space, cluster);
    if (!key.take(Word::b64) || !key.all_taken() || cluster) return false;
    d.barrier = async_address(ops[0], space, false);
    note_width(StateSpace::shared, 8);
    emit_async(handlers_.common.async.copy_arrive, d, 8);
    return true;
  }
  DecodedInstruction o;
  if (key.take(Word::commit_group)) {
    if (!key.all_taken() || !ops.empty()) return false;
    o.full = o.masked = handlers_.common.async.commit_group;
    emit(o);
    return true;
  }
  if (key.take(Word::wait_all) || key.take(Word::wait_group)) {
    const bool all = key.has(Word::wait_all);
    if (!key.all_taken() || ops.size() != (all ? 0u : 1u)) return false;
    if (!all && (ops[0].kind != Operand::Kind::immediate || ops[0].bits > 0xffffffff)) return false;
    o.full = o.masked = handlers_.common.async.wait_group;
    o.immediate = all ? -1 : static_cast<std::int64_t>(ops[0].bits);
    emit(o);
    return true;
  }
  // The order of the state spaces determines the direction.
  for (const Word w : key.modifiers()) {
    if (w == Word::global) return false;
    if (w == Word::shared || w == Word::shared_cta) break;
  }
  const bool all_levels = key.take(Word::ca);
  if (!all_levels && !key.take(Word::cg)) return false;
  if ((!key.take(Word::shared) && !key.take(Word::shared_cta)) || !key.take(Word::global))
    return false;
  const bool policy = key.take(Word::L2_cache_hint);
  for (const Word w : {Word::L2_64B, Word::L2_128B, Word::L2_256B}) key.take(w);
  const std::size_t most = policy ? 5 : 4;
  if (!key.all_taken() || ops.size() < (policy ? 4u : 3u) || ops.size() > most ||
      ops[2].kind != Operand::Kind::immediate)
    return false;
  if (ops[2].bits != 16 && (!all_levels || (ops[2].bits != 4 && ops[2].bits != 8))) return false;
  d.bytes = static_cast<std::uint32_t>(ops[2].bits);
  d.target = async_address(ops[0], StateSpace::shared, false);
  d.source = async_address(ops[1], StateSpace::global, false);
  if (ops.size() == most) {
    const Operand& extra = ops[3];
    if (extra.kind == Operand::Kind::reg && function_.registers[extra.index].type == Type::pred) {
      needs({705, 80});
      d.ignore = source_row(extra, Row::pred);
      d.ignore_negated = extra.negated;
    } else {
      d.count = source_row(extra, Row::b32);
    }
  }
  if (policy) source_row(ops.back(), Row::b64);
  const std::uint32_t bytes = d.bytes;
  note_width(StateSpace::shared, bytes);
  note_width(StateSpace::global, d.count == kNone ? bytes : 4);
  emit_async(handlers_.common.async.copy, d, bytes);
  return true;
}

bool FunctionDecoder::mbarrier(const Instruction& i, Key& key) {
  const auto ops = operands(i);
  static constexpr Word kOperations[] = {Word::init,         Word::inval,     Word::arrive,
                                         Word::arrive_drop,  Word::test_wait, Word::try_wait,
                                         Word::pending_count};
  Word operation = Word::unknown;
  for (const Word w : kOperations) {
    if (operation == Word::unknown && key.take(w)) operation = w;
  }
  AsyncDetail d;
  d.expects = key.take(Word::expect_tx);
  const bool completes = key.take(Word::complete_tx);
  d.no_complete = key.take(Word::noComplete);
  d.parity = key.take(Word::parity);
  const bool arrives = operation == Word::arrive || operation == Word::arrive_drop;
  const bool waits = operation == Word::test_wait || operation == Word::try_wait;
  if (operation == Word::unknown ? d.expects == completes : completes || (d.expects && !arrives))
    return false;
  if ((d.no_complete && (!arrives || d.expects)) || (d.parity && !waits)) return false;
  bool ordered = true;
  d.relaxed = key.has(Word::relaxed);
  if (arrives && !d.no_complete) {
    ordered = take_order(key, std::array{Word::release, Word::relaxed});
  } else if (arrives) {
    ordered = key.take(Word::release) == key.take(Word::cta);
  } else if (waits) {
    ordered = take_order(key, std::array{Word::acquire, Word::relaxed});
  } else if (operation == Word::unknown) {
    ordered = take_order(key, std::array{Word::relaxed});
  }
  StateSpace space;
  bool cluster;
  take_shared(key, space, cluster);
  if (!ordered || !key.take(Word::b64) || !key.all_taken()) return false;
  if (cluster && !arrives && operation != Word::unknown) return false;

  if (operation == Word::pending_count) {
    if (ops.size() != 2 || space != StateSpace::generic) return false;
    DecodedInstruction o;
    o.full = o.masked = handlers_.common.async.mbarrier_pending_count;
    o.a = source_row(ops[1], Row::b64);
    o.d = destination_row(ops[0], Row::b32);
    if (o.d == kNone) return false;
    emit(o);
    return true;
  }
  const std::size_t place = arrives || waits ? 1 : 0;
  if (ops.size() <= place) return false;
  const std::size_t extra = ops.size() - place - 1;  // operands behind the address
  const auto barrier = [&] { d.barrier = async_address(ops[place], space, cluster); };
  const auto count = [&] { d.count = source_row(ops[place + 1], Row::b32); };
  CodeInstruction& info = code_.instructions[code_index_];
  info.counts_as = CountedAs::barrier;
  note_width(StateSpace::shared, 8);
  if (operation == Word::init || operation == Word::inval) {
    if (extra != (operation == Word::init ? 1u : 0u)) return false;
    barrier();
    if (extra == 1) count();
    emit_async(operation == Word::init ? handlers_.common.async.mbarrier_init
                                       : handlers_.common.async.mbarrier_inval,
               d, 8);
    return true;
  }
  if (waits) {
    if (extra != 1 && (extra != 2 || operation != Word::try_wait)) return false;
    barrier();
    d.state = source_row(ops[place + 1], d.parity ? Row::b32 : Row::b64);
    if (extra == 2)
      source_row(ops[place + 2],
                 Row::b32);  // the time limit: the wait times out when nothing else happens
    d.d = destination_row(ops[0], Row::pred);
    if (operation == Word::test_wait) {
      emit_async(handlers_.common.async.mbarrier_test_wait, d, 8);
      return true;
    }
    code_.asyncs.push_back(d);
    end_block(Exit::try_wait, static_cast<std::uint32_t>(code_.asyncs.size() - 1), true);
    return true;
  }
  MbarrierSignal kind = MbarrierSignal::arrive;
  d.drop = operation == Word::arrive_drop;
  if (!arrives) kind = d.expects ? MbarrierSignal::expect : MbarrierSignal::complete;
  const bool needed = !arrives || d.expects || d.no_complete;
  if (extra > 1 || (needed && extra == 0)) return false;
  if (arrives && extra == 1 && !needed) needs({708, 90});
  if (operation == Word::arrive && ops[0].kind == Operand::Kind::sink) needs({701, 80});
  barrier();
  if (extra == 1) count();
  if (arrives) d.d = destination_row(ops[0], Row::b64);
  if (cluster && d.d != kNone) return false;  // other blocks' mbarriers return no state
  DecodedInstruction o;
  o.full = o.masked = handlers_.common.async.mbarrier_signal;
  o.mbarrier.signal = kind;
  o.f = static_cast<std::uint32_t>(code_.asyncs.size());
  code_.asyncs.push_back(d);
  o.memo = info.memo = code_.memos++;
  info.access_bytes = 8;
  emit(o);
  return true;
}

}  // namespace warpbook::device::isa
