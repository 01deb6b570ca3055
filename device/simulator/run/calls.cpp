// Calls, returns and indirect branches.
#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {
namespace {

constexpr std::uint32_t kCallsMaxDepth =
    1024;  ///< of calls; a GPU's stack is a few kilobytes per thread and ends sooner

/// Copies the words of a parameter between frames, for some lanes.
void copy_parameter(const CallFrame& from, const isa::ParameterPlace& source, const CallFrame& to,
                    const isa::ParameterPlace& target, std::uint32_t lanes) {
  const std::uint32_t words = std::min(source.bytes, target.bytes) / 4;
  for (std::uint32_t w = 0; w < words; ++w) {
    const auto* s = reinterpret_cast<const std::uint32_t*>(from.rows.get() + source.row + 128 * w);
    auto* t = reinterpret_cast<std::uint32_t*>(to.rows.get() + target.row + 128 * w);
    for (std::uint32_t m = lanes; m != 0; m &= m - 1)
      t[std::countr_zero(m)] = s[std::countr_zero(m)];
  }
}

}  // namespace

/// A fragment enters a function. Lanes that call it from the same place in the same frame share the callee's frame, even if
/// they call one after the other.
bool BlockRunner::enter_function(WarpState& warp, Fragment& f, std::uint32_t function,
                                 const isa::CallDetail& detail, std::uint32_t next) {
  const isa::CodeFunction& callee = code_.functions[function];
  CallFrame* const caller = f.frame;
  const auto refuse = [&](std::uint32_t depth) {
    const int lane = std::countr_zero(f.mask);
    stop(at(ErrorCode::stack_overflow,
            {{"depth", std::to_string(depth)},
             {"name", plain_name(launch.module.parsed().functions[callee.source].name)},
             {"thread", std::to_string(thread_of(lane))},
             {"block", std::to_string(context.block_index)}},
            code_.blocks[f.block]));
    return false;
  };
  if (caller->depth + 1 > kCallsMaxDepth) return refuse(kCallsMaxDepth);
  const std::uint32_t local_base =
      caller->local_base + code_.functions[caller->function].local_bytes;
  if (local_base + callee.local_bytes > launch.frames_bytes) return refuse(caller->depth + 1);
  if (frame_bytes_ + callee.frame_bytes > launch.request.budget.memory_bytes &&
      launch.request.budget.memory_bytes != 0) {
    stop(Error{ErrorCode::budget_memory,
               {{"bytes", std::to_string(launch.request.budget.memory_bytes)}},
               {}});
    return false;
  }
  CallFrame* frame = nullptr;
  if (warp.fragments.size() > 1) {
    for (const Fragment& other : warp.fragments) {
      for (CallFrame* g = other.frame; g && !frame; g = g->parent) {
        if (g->parent == caller && g->function == function && g->return_block == next) frame = g;
      }
    }
  }
  if (frame) {
    for (const auto& [row, bytes] : callee.cleared) {
      // The frame is in use, so rows that may be read before they are written become zeros for the new lanes alone.
      if (bytes == 4) {
        std::uint32_t p;
        std::memcpy(&p, frame->rows.get() + row, sizeof p);
        p &= ~f.mask;
        std::memcpy(frame->rows.get() + row, &p, sizeof p);
        continue;
      }
      const std::uint32_t width = bytes / kLanes;
      for (std::uint32_t m = f.mask; m != 0; m &= m - 1) {
        std::memset(
            frame->rows.get() + row + width * static_cast<std::uint32_t>(std::countr_zero(m)), 0,
            width);
      }
    }
  } else {
    frame = take_frame(function);
    frame->lanes = 0;
    frame->parent = caller;
    frame->return_block = next;
    frame->call = &detail;
    frame->depth = caller->depth + 1;
    frame->local_base = local_base;
  }
  frame->lanes |= f.mask;
  if (code_.uses_stack) {
    for (std::uint32_t m = f.mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(m));
      frame->stack[lane] = warp.stack[lane];
    }
  }
  for (std::size_t k = 0; k < std::min(detail.arguments.size(), callee.parameters.size()); ++k) {
    copy_parameter(*caller, detail.arguments[k], *frame, callee.parameters[k], f.mask);
  }
  f.frame = frame;
  f.block = callee.entry;
  return true;
}

bool BlockRunner::call(WarpState& warp, Fragment& f, const BasicBlock& b) {
  const isa::CallDetail& d = code_.calls[b.detail];
  if (d.external != isa::External::none) {
    external(warp, f, d, b);
    f.block = b.next;
    return !stopped();
  }
  if (d.function != kNone) return enter_function(warp, f, d.function, d, b.next);
  // Through a register: lanes with the same target call together, one target after the other.
  const std::byte* row = f.frame->rows.get() + d.address_row;
  std::uint64_t target;
  std::memcpy(&target, row + 8 * std::countr_zero(f.mask), sizeof target);
  std::uint32_t same = 0;
  for (std::uint32_t m = f.mask; m != 0; m &= m - 1) {
    std::uint64_t t;
    std::memcpy(&t, row + 8 * std::countr_zero(m), sizeof t);
    if (t == target) same |= 1u << std::countr_zero(m);
  }
  if (same != f.mask && !call(warp, split(warp, f, f.mask & ~same), b)) return false;
  const std::uint64_t number = (target - kFunctionWindow) / 16 - 1;
  std::uint32_t function = kNone;
  if (target > kFunctionWindow && target % 16 == 0 && number < code_.function_of_source.size()) {
    function = code_.function_of_source[number];
  }
  const bool listed = d.candidates.empty() || std::find(d.candidates.begin(), d.candidates.end(),
                                                        function) != d.candidates.end();
  const bool fits = function != kNone &&
                    !launch.module.parsed().functions[code_.functions[function].source].entry &&
                    code_.functions[function].parameters.size() == d.arguments.size() &&
                    code_.functions[function].returns.size() >= d.results.size();
  if (!listed || !fits) {
    stop(at(ErrorCode::bad_branch,
            {{"kind", Message{"phrase.kind.call", {}, {}}},
             {"address", fmt::format("{:#x}", target)},
             {"thread", std::to_string(thread_of(std::countr_zero(f.mask)))},
             {"block", std::to_string(context.block_index)}},
            b));
    return false;
  }
  return enter_function(warp, f, function, d, b.next);
}

void BlockRunner::return_from(WarpState& warp, Fragment& f) {
  CallFrame* frame = f.frame;
  if (code_.uses_stack) {
    for (std::uint32_t m = f.mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(m));
      warp.stack[lane] = frame->stack[lane];
    }
  }
  CallFrame* caller = frame->parent;
  const isa::CodeFunction& callee = code_.functions[frame->function];
  for (std::size_t k = 0; k < std::min(frame->call->results.size(), callee.returns.size()); ++k) {
    copy_parameter(*frame, callee.returns[k], *caller, frame->call->results[k], f.mask);
  }
  f.block = frame->return_block;
  f.frame = caller;
  drop_lanes(frame, f.mask, caller);
}

void BlockRunner::branch_table(WarpState& warp, Fragment& f, const BasicBlock& b) {
  const isa::BranchDetail& d = code_.branches[b.detail];
  const auto* index = reinterpret_cast<const std::uint32_t*>(f.frame->rows.get() + d.index_row);
  while (f.mask != 0) {
    const std::uint32_t value = index[std::countr_zero(f.mask)];
    std::uint32_t same = 0;
    for (std::uint32_t m = f.mask; m != 0; m &= m - 1) {
      if (index[std::countr_zero(m)] == value) same |= 1u << std::countr_zero(m);
    }
    if (value >= d.blocks.size()) {
      stop(at(ErrorCode::bad_branch,
              {{"kind", Message{"phrase.kind.branch", {}, {}}},
               {"address", fmt::format("entry {}", value)},
               {"thread", std::to_string(thread_of(std::countr_zero(f.mask)))},
               {"block", std::to_string(context.block_index)}},
              b));
      f.block = b.next;
      return;
    }
    if (same == f.mask) {
      f.block = d.blocks[value];
      return;
    }
    split(warp, f, same).block = d.blocks[value];
  }
}

}  // namespace warpbook::device
