// The report of a deadlock: which lanes wait where, and for what.
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {

std::string lanes_in_words(std::uint32_t mask) {
  std::string text;
  for (int i = 0; i < kLanes; ++i) {
    if (!(mask >> i & 1)) continue;
    int last = i;
    while (last + 1 < kLanes && (mask >> (last + 1) & 1)) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", i);
    if (last > i) text += fmt::format("-{}", last);
    i = last;
  }
  return text;
}

namespace {

constexpr std::size_t kLoopBlocks = 64;  ///< a loop that waits for memory is small
constexpr std::uint64_t kPage = 4096;

/// The basic blocks of a shortest loop through `head`, `head` first; empty where there is no small one.
std::vector<std::uint32_t> loop_of(const isa::Code& code, std::uint32_t head) {
  std::vector<std::uint32_t> seen{head}, from{kNone};
  for (std::size_t at = 0; at < seen.size() && seen.size() < kLoopBlocks; ++at) {
    const BasicBlock& b = code.blocks[seen[at]];
    for (const std::uint32_t next : {b.target, b.next}) {
      if (next == kNone || code.blocks[next].function != b.function) continue;
      if (next == head) {
        std::vector<std::uint32_t> loop;
        for (auto i = static_cast<std::uint32_t>(at); i != kNone; i = from[i])
          loop.push_back(seen[i]);
        std::ranges::reverse(loop);
        return loop;
      }
      if (std::ranges::find(seen, next) != seen.end()) continue;
      seen.push_back(next);
      from.push_back(static_cast<std::uint32_t>(at));
    }
  }
  return {};
}

/// The basic block in which a looping fragment asks for a phase again and again; otherwise the one where it is.
std::uint32_t asks_at(const isa::Code& code, const Fragment& f) {
  if (f.waiting != Waiting::nothing) return f.block;
  for (const std::uint32_t block : loop_of(code, f.block)) {
    if (code.blocks[block].exit == Exit::try_wait) return block;
  }
  return f.block;
}

/// An instruction without its semicolon, and with one blank where the compiler puts several.
std::string on_one_line(std::string_view text) {
  if (text.ends_with(';')) text.remove_suffix(1);
  std::string line;
  for (const char letter : text) {
    const bool blank = letter == ' ' || letter == '\t' || letter == '\n';
    if (!blank)
      line += letter;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

}  // namespace

/// The address that a looping fragment reads; nothing where it is not known.
std::optional<std::uint64_t> BlockRunner::spin_address(const Fragment& f) const {
  for (const std::uint32_t block : loop_of(code_, f.block)) {
    const BasicBlock& b = code_.blocks[block];
    for (const DecodedInstruction& o : std::span(b.first, b.operations)) {
      const isa::CodeInstruction& i = code_.instructions[o.index];
      if (!(i.load || i.atomic) || i.guarded_operation || o.a == kNone || o.memo == kNone) continue;
      if (i.space != isa::StateSpace::global && i.space != isa::StateSpace::shared &&
          i.space != isa::StateSpace::generic)
        continue;
      const std::byte* row = f.frame->rows.get() + o.a;
      const int lane = std::countr_zero(f.mask);
      std::uint64_t address = 0;
      std::memcpy(&address, row + (i.narrow_address ? 4 : 8) * lane, i.narrow_address ? 4 : 8);
      address += static_cast<std::uint64_t>(o.immediate);
      const bool offset = i.space == isa::StateSpace::shared && address < kSharedWindow;
      return offset ? kSharedWindow + address : address;
    }
  }
  return std::nullopt;
}

/// The memory that a looping fragment reads: "flag[0] (0x700000100)"; empty where it is not known.
std::string BlockRunner::spins_on(const Fragment& f) const {
  const auto address = spin_address(f);
  if (!address) return {};
  if (*address >= kSharedWindow && *address < kLocalWindow)
    return fmt::format("__shared__ + {}", *address & 0xffffffff);
  const auto table = launch.module.memory().table();
  const Allocation* a = table->at(*address);
  if (!a) return fmt::format("{:#x}", *address);
  return fmt::format("{}[{}] ({:#x})", a->name, (*address - a->address) / size_of(a->type),
                     *address);
}

/// Whether a lane goes round at memory that the host's code may write meanwhile: then no round without progress says that there
/// will be none.
bool BlockRunner::waits_for_host(const std::vector<std::unique_ptr<BlockState>>& blocks) const {
  if (launch.module.memory().shared_fd() < 0) return false;
  const auto table = launch.module.memory().table();
  const auto reads_host = [&](const Fragment& f) {
    if (f.waiting != Waiting::nothing) return false;
    const auto address = spin_address(f);
    const Allocation* a = address ? table->at(*address) : nullptr;
    return a != nullptr &&
           a->address % kPage == 0;  // it has pages of its own: GlobalMemory::allocate
  };
  return std::ranges::any_of(blocks, [&](const auto& block) {
    return std::ranges::any_of(block->warps, [&](const WarpState& warp) {
      return std::ranges::any_of(warp.fragments, reads_host);
    });
  });
}

/// Where the lanes of a block wait: "warp 0: lanes 0-15 wait at bar.sync 0 (line 12); ...".
Message BlockRunner::who_waits(const BlockState& block) const {
  constexpr std::size_t kShown = 8;
  std::vector<Message> parts;
  for (const WarpState& warp : block.warps) {
    for (Fragment f : warp.fragments) {
      if (parts.size() == kShown) {
        parts.push_back(Message::plain("..."));
        return Message::list_of("list.clauses", std::move(parts));
      }
      f.block = asks_at(code_, f);
      const BasicBlock& b = code_.blocks[f.block];
      Message& part = parts.emplace_back(Message{
          "phrase.who.lanes", {{"warp", warp.index}, {"lanes", lanes_in_words(f.mask)}}, {}});
      if (b.instructions == 0) continue;
      const ptx::Instruction& i =
          *code_.instructions[b.first_instruction + b.instructions - 1].source;
      const SourcePlace place = isa::place_of(launch.module.parsed(), i);
      const std::string instruction = on_one_line(launch.module.parsed().text_of(i));
      const bool phase = b.exit == Exit::try_wait, spins = f.waiting == Waiting::nothing && !phase;
      part = {spins ? "phrase.who.spins" : "phrase.who.waits",
              {{"who", std::move(part)}, {"instruction", instruction}, {"line", place.line}},
              {}};
      if (std::string on = spins ? spins_on(f) : std::string(); !on.empty())
        part = {"phrase.who.reading", {{"who", std::move(part)}, {"place", std::move(on)}}, {}};
      if (phase) part = waits_for_phase(std::move(part), block, f);
    }
  }
  return Message::list_of("list.clauses", std::move(parts));
}

std::uint64_t BlockRunner::progress_digest(
    const std::vector<std::unique_ptr<BlockState>>& blocks) const {
  std::uint64_t digest = 0;
  const auto mix = [&](std::uint64_t word) {
    digest = (digest ^ word) * 0x9e3779b97f4a7c15;
    digest ^= digest >> 29;
  };
  for (const auto& block : blocks) {
    mix(block->index);
    for (const WarpState& warp : block->warps) {
      mix(std::uint64_t{warp.live} << 32 | warp.turn);
      for (const Fragment& f : warp.fragments) {
        mix(std::uint64_t{f.block} << 32 | f.mask);
        mix(std::uint64_t{f.spins} << 16 | std::uint64_t{f.deferred} << 8 |
            static_cast<std::uint64_t>(f.waiting));
        for (const CallFrame* frame = f.frame; frame; frame = frame->parent) {
          const std::uint32_t bytes = code_.functions[frame->function].frame_bytes;
          std::uint32_t at = 0;
          for (; at + 8 <= bytes; at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, frame->rows.get() + at, sizeof word);
            mix(word);
          }
          mix(frame->lanes);
        }
      }
    }
  }
  return digest;
}

void BlockRunner::report_deadlock(const std::vector<std::unique_ptr<BlockState>>& blocks) {
  const auto runs = [](const auto& b) { return b->live_warps != 0; };
  const BlockState& block = **std::ranges::find_if(blocks, runs);
  context.block_index = static_cast<std::uint32_t>(block.index);
  // There is an error of its own for threads of one block that are at different barriers.
  std::uint32_t ids = 0;
  bool lanes = false, spinning = false;
  for (const WarpState& warp : block.warps) {
    for (const Fragment& f : warp.fragments) {
      if (f.waiting == Waiting::barrier) ids |= 1u << f.barrier;
      lanes |= f.waiting == Waiting::lanes;
      spinning |= f.waiting == Waiting::nothing;
    }
  }
  const Fragment* first = nullptr;
  for (const WarpState& warp : block.warps) {
    if (!first && !warp.fragments.empty()) first = &warp.fragments.front();
  }
  const BasicBlock& where = code_.blocks[first ? first->block : 0];
  if (!spinning && !lanes && std::popcount(ids) > 1) {
    stop(at(ErrorCode::barrier_mismatch,
            {{"block", std::to_string(block.index)}, {"who", who_waits(block)}}, where));
    return;
  }
  if (lanes && !spinning) {
    for (const WarpState& warp : block.warps) {
      for (const Fragment& f : warp.fragments) {
        if (f.waiting != Waiting::lanes) continue;
        const BasicBlock& b = code_.blocks[f.block];
        if (code_.syncs[b.detail].matrix != kNone) {
          incomplete(warp, who_waits(block), b);
          return;
        }
        const ptx::Instruction& i =
            *code_.instructions[b.first_instruction + b.instructions - 1].source;
        stop(at(ErrorCode::sync_mask_mismatch,
                {{"instruction", std::string(launch.module.parsed().text_of(i))},
                 {"who", who_waits(block)},
                 {"warp", std::to_string(warp.index)},
                 {"block", std::to_string(block.index)}},
                b));
        return;
      }
    }
  }
  std::vector<Message> who;
  for (const auto& other : blocks) {
    if (other.get() != &block && (!block.cluster || other->cluster != block.cluster)) continue;
    if (other->live_warps == 0) continue;
    who.push_back(
        {"phrase.who.of-block", {{"block", other->index}, {"who", who_waits(*other)}}, {}});
  }
  stop(at(ErrorCode::deadlock, {{"who", Message::list_of("list.clauses", std::move(who))}}, where));
}

}  // namespace warpbook::device
