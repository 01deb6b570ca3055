// Turns a finding into words: the allocation, the element, the thread and the line that it is about.
#include <algorithm>

#include <fmt/format.h>

#include "device/simulator/isa/decode.hpp"
#include "device/simulator/observe/merge.hpp"

namespace warpbook::device {
namespace {

Message kind_in_words(AccessKind kind) {
  return {kind == AccessKind::load    ? "phrase.kind.read"
          : kind == AccessKind::store ? "phrase.kind.write"
                                      : "phrase.kind.atomic",
          {},
          {}};
}

bool both(const RawFinding& race, AccessKind kind) {
  return race.kind == kind && race.other->kind == kind;
}

/// The address that a load or a store names: a register or a symbol, and what is added to it.
const ptx::Operand* address_in(const ptx::Module& module, const ptx::Instruction& access) {
  const auto operands = module.operands_of(access);
  const auto found = std::ranges::find(operands, ptx::Operand::Kind::address, &ptx::Operand::kind);
  return found == operands.end() ? nullptr : &*found;
}

/// One thread changes an element that the other reads in order to change it, too, as in counts[k] += 1. No order of the two statements
/// would help, since each has a read and a write.
bool is_update(const RawFinding& race, const isa::Code& code, const ptx::Module& module) {
  const bool reads_and_writes = (race.kind == AccessKind::store || race.kind == AccessKind::load) &&
                                race.other->kind != AccessKind::atomic &&
                                race.kind != race.other->kind;
  if (!reads_and_writes) return false;
  const ptx::Operand* one = address_in(module, *code.instructions[race.instruction].source);
  const ptx::Operand* other =
      address_in(module, *code.instructions[race.other->instruction].source);
  return one && other && one->base == ptx::Operand::Kind::reg && other->base == one->base &&
         one->index == other->index && one->bits == other->bits;
}

/// What ends a race of two accesses that stand on one line.
Message remedy_in_line(const RawFinding& race, const isa::Code& code, const ptx::Module& module) {
  if (is_update(race, code, module)) return {"phrase.remedy.update", {}, {}};
  const bool one_is_atomic =
      race.kind == AccessKind::atomic || race.other->kind == AccessKind::atomic;
  return {both(race, AccessKind::store) ? "phrase.remedy.one-writer"
          : one_is_atomic               ? "phrase.remedy.all-atomic"
                                        : "phrase.remedy.barrier",
          {{"barrier", race.code == ErrorCode::race_in_warp ? "__syncwarp()" : "__syncthreads()"}},
          {}};
}

/// Both are strong, but one of them only beside accesses of its own block.
bool lacks_scope(const RawFinding& race, const isa::Code& code) {
  const isa::CodeInstruction &one = code.instructions[race.instruction],
                             &other = code.instructions[race.other->instruction];
  return one.strong && other.strong && (one.of_block || other.of_block);
}

/// What ends a race of two blocks.
Message remedy_between_blocks(const RawFinding& race, const isa::Code& code,
                              const ptx::Module& module) {
  const auto line_of = [&](std::uint32_t instruction) {
    return isa::place_in_program(module, *code.instructions[instruction].source).line;
  };
  // A loop that the compiler has unrolled has several stores for one line.
  const bool one_store = both(race, AccessKind::store) &&
                         line_of(race.instruction) == line_of(race.other->instruction);
  return {lacks_scope(race, code)         ? "phrase.remedy.wider-scope"
          : one_store                     ? "phrase.remedy.one-block"
          : is_update(race, code, module) ? "phrase.remedy.update"
                                          : "phrase.remedy.between-blocks",
          {},
          {}};
}

/// "3"; "0..3" of an access outside of its array that takes several elements, since the first of them may well be inside.
std::string index_in_words(const RawFinding& raw, std::int64_t first, std::int64_t last) {
  switch (raw.code) {
    case ErrorCode::out_of_bounds_read:
    case ErrorCode::out_of_bounds_write:
    case ErrorCode::out_of_bounds_atomic:
      if (first != last) return fmt::format("{}..{}", first, last);
      [[fallthrough]];
    default: return std::to_string(first);
  }
}

/// A barrier of the block stands on a line between the two lines of the race.
bool has_barrier_between(const RawFinding& race, const isa::Code& code, const ptx::Module& module,
                         std::uint32_t first, std::uint32_t second) {
  const std::uint32_t function = code.instructions[race.instruction].function;
  return std::ranges::any_of(code.instructions, [&](const isa::CodeInstruction& each) {
    const bool is_barrier =
        each.source->opcode == ptx::Word::bar || each.source->opcode == ptx::Word::barrier;
    if (!is_barrier || each.function != function) return false;
    const auto modifiers = module.modifiers_of(*each.source);
    if (std::ranges::find(modifiers, ptx::Word::warp) != modifiers.end()) return false;
    const std::uint32_t line = isa::place_in_program(module, *each.source).line;
    return first < line && line < second;
  });
}

}  // namespace

Finding in_words(const RawFinding& raw, const isa::Code& code, const ptx::Module& module,
                 const LaunchFacts&) {
  Finding f;
  const ptx::Instruction& instruction = *code.instructions[raw.instruction].source;
  f.by.block = raw.block;
  f.by.thread = raw.thread;
  f.by.instruction = raw.instruction;
  f.by.kind = raw.kind;
  f.by.place = isa::place_in_program(module, instruction);
  if (!raw.other && raw.decided != kNone && raw.decided != raw.instruction) {
    Party decision = f.by;
    decision.instruction = raw.decided;
    decision.place = isa::place_in_program(module, *code.instructions[raw.decided].source);
    f.other = decision;
    f.error.arguments.emplace_back("line", std::to_string(decision.place.line));
  }
  if (raw.other) {
    f.other = raw.other;
    f.other->place =
        isa::place_in_program(module, *code.instructions[raw.other->instruction].source);
  }
  f.address = raw.address;
  f.bytes = raw.bytes;
  f.space = raw.space;
  f.error.code = raw.code;
  f.error.place = f.by.place;
  auto& arguments = f.error.arguments;
  const auto say = [&](const char* name, auto value) {
    arguments.emplace_back(name, std::move(value));
  };
  arguments.insert(arguments.end(), raw.words.begin(), raw.words.end());
  const bool in_memory =
      raw.space == Space::global || raw.space == Space::constant || raw.space == Space::none;
  if (in_memory && raw.table && raw.address != 0) {
    const Allocation* a = raw.table->near(raw.address);
    if (a && a->freed && raw.code != ErrorCode::use_after_free)
      a = raw.table->near_in_use(raw.address);
    if (a) {
      // Memory whose elements have no known type is an array of bytes. Its elements are then taken to be as wide as the access.
      const bool untyped = a->type == ElementType::u8 && raw.bytes > 1;
      const auto size = static_cast<std::int64_t>(untyped ? raw.bytes : size_of(a->type));
      const auto offset = static_cast<std::int64_t>(raw.address - a->address);
      const auto element_at = [&](std::int64_t byte) {
        return byte >= 0 ? byte / size : -((-byte + size - 1) / size);
      };
      f.allocation = a->name;
      f.element = element_at(offset);
      say("name", a->name);
      say("index", index_in_words(raw, f.element,
                                  element_at(offset + std::max<std::int64_t>(raw.bytes, 1) - 1)));
      // "outside y[0..3]" if there are four elements, "outside y[]" if there are none.
      const std::int64_t count = static_cast<std::int64_t>(a->bytes) / size;
      say("elements", count == 0 ? std::string("[]") : fmt::format("[0..{}]", count - 1));
    }
  }
  arguments.insert(arguments.end(), raw.said.begin(), raw.said.end());
  if (f.allocation.empty()) {
    f.element = static_cast<std::int64_t>(raw.address) / 4;
    if (raw.code == ErrorCode::uninitialised_read || raw.other) {
      say("name", raw.space == Space::shared ? Message{"phrase.name.shared", {}, {}}
                  : raw.space == Space::local
                      ? Message{"phrase.name.local", {}, {}}
                      : Message::plain(std::string(module.text_of(instruction))));
      say("index", std::to_string(f.element));
    }
  }
  say("kind", kind_in_words(raw.kind));
  say("bytes", std::to_string(raw.bytes));
  say("address", fmt::format("{:#x}", raw.address));
  // Before the first byte it is negative.
  say("offset", std::to_string(static_cast<std::int64_t>(raw.address)));
  say("size", std::to_string(raw.limit));
  say("thread", std::to_string(raw.thread));
  say("block", std::to_string(raw.block));
  if (raw.other) {
    const std::uint32_t line = f.by.place.line, other = f.other->place.line;
    if (line == other &&
        (raw.code == ErrorCode::race_in_warp || raw.code == ErrorCode::race_in_block)) {
      say("remedy", remedy_in_line(raw, code, module));
      f.error.code = ErrorCode::race_in_line;
    }
    if (raw.code == ErrorCode::race_between_blocks)
      say("remedy", remedy_between_blocks(raw, code, module));
    say("other_kind", kind_in_words(f.other->kind));
    say("other_thread", std::to_string(f.other->thread));
    say("other_block", std::to_string(f.other->block));
    say("line", std::to_string(line));
    say("other_line", std::to_string(other));
    if (raw.code == ErrorCode::race_with_copy)
      say("copy_line", std::to_string(raw.decided == raw.instruction ? line : other));
    const auto [first, second] = std::minmax(line, other);
    // Where a barrier stands between the two already, it is the later line of one round that races with the earlier line of the next.
    const bool next_round = raw.code == ErrorCode::race_in_block &&
                            has_barrier_between(raw, code, module, first, second);
    say("first", std::to_string(next_round ? second : first));
    if (next_round)
      say("second", Message{"phrase.remedy.next-round", {{"line", std::to_string(first)}}, {}});
    else
      say("second", std::to_string(second));
  }
  return f;
}

}  // namespace warpbook::device
