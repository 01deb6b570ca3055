// The functions that compiled CUDA C++ expects the system to have: vprintf, __assertfail, malloc and free (CUDA C++
// Programming Guide, "Formatted Output", "Assertion" and "Dynamic Global Memory Allocation").
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "device/simulator/run/block_runner.hpp"

namespace warpbook::device {
namespace {

constexpr std::size_t kMaxString = 65536;
constexpr std::uint64_t kHeapOverhead = 512;  ///< bytes of the host per allocation

/// One conversion of a printf format: "%-8.3lld".
struct Conversion {
  std::string text;  ///< with the length modifier taken out
  char kind = 0;     ///< 0: the text is plain
  int stars = 0;
  bool wide = false;  ///< 64 bits
};

/// A width or precision beyond all use, which would only cost time.
bool too_wide(const std::string& text) {
  int digits = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > 4) return true;
  }
  return text.size() > 32;
}

std::vector<Conversion> conversions_of(const std::string& format) {
  std::vector<Conversion> list;
  std::string plain;
  const auto flush = [&] {
    if (!plain.empty()) list.push_back({plain, 0, 0, false});
    plain.clear();
  };
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      plain += format[i];
      continue;
    }
    std::size_t k = i + 1;
    Conversion c;
    c.text = "%";
    while (k < format.size() && std::strchr("-+ #0123456789.*", format[k])) {
      c.stars += format[k] == '*';
      c.text += format[k++];
    }
    while (k < format.size() && std::strchr("hlLzjtq", format[k])) {
      c.wide |= std::strchr("lLzjtq", format[k]) != nullptr;
      ++k;
    }
    if (k < format.size() && format[k] == '%') {
      plain += '%';
      i = k;
      continue;
    }
    if (k >= format.size() || too_wide(c.text) || !std::strchr("diouxXcsfFeEgGaAp", format[k])) {
      // This is not a conversion, so it is printed as it is.
      plain += format[i];
      continue;
    }
    c.kind = format[k];
    flush();
    list.push_back(std::move(c));
    i = k;
  }
  flush();
  return list;
}

template <class T>
std::string put(const std::string& format, const int* stars, int count, T value) {
  char small[256];
  const auto print = [&](char* to, std::size_t size) {
    if (count == 0) return std::snprintf(to, size, format.c_str(), value);
    if (count == 1) return std::snprintf(to, size, format.c_str(), stars[0], value);
    return std::snprintf(to, size, format.c_str(), stars[0], stars[1], value);
  };
  const int length = print(small, sizeof small);
  if (length < 0) return {};
  if (static_cast<std::size_t>(length) < sizeof small)
    return {small, static_cast<std::size_t>(length)};
  if (static_cast<std::size_t>(length) > kMaxString)
    return {};  // far wider than any field that makes sense
  std::string large(static_cast<std::size_t>(length) + 1, '\0');
  print(large.data(), large.size());
  large.pop_back();
  return large;
}

}  // namespace

std::uint64_t BlockRunner::argument(const CallFrame& frame, const isa::ParameterPlace& place,
                                    int lane) const {
  std::uint32_t words[2] = {0, 0};
  for (std::uint32_t w = 0; w < place.bytes / 4 && w < 2; ++w) {
    std::memcpy(&words[w],
                frame.rows.get() + place.row + 128 * w + 4 * static_cast<std::uint32_t>(lane), 4);
  }
  return words[0] | std::uint64_t{words[1]} << 32;
}

/// Bytes at a generic address, as a lane sees it; false where it may not read there.
bool BlockRunner::read_bytes(std::uint64_t address, void* to, std::uint32_t bytes, int lane) {
  const Pointer window = address / kWindowBytes * kWindowBytes;
  const std::uint64_t offset = address % kWindowBytes;
  if (window == kSharedWindow) {
    if (offset + bytes > context.shared_bytes) return false;
    std::memcpy(to, context.shared + offset, bytes);
    return true;
  }
  if (window == kLocalWindow) {
    if (offset + bytes > context.local_bytes) return false;
    for (std::uint32_t k = 0; k < bytes; ++k) {
      const std::uint64_t at = offset + k;
      static_cast<std::byte*>(to)[k] =
          context.local[at / 4 * 128 + static_cast<std::uint32_t>(lane) * 4 + at % 4];
    }
    return true;
  }
  if (window == kParamWindow) {
    if (offset + bytes > context.parameter_bytes) return false;
    std::memcpy(to, context.parameters + offset, bytes);
    return true;
  }
  const Allocation* a = observer.table->at(address);
  if (!a || a->freed || address + bytes > a->end()) return false;
  std::memcpy(to, context.global + (address - kGlobalBase), bytes);
  return true;
}

/// Stores bytes at a generic address, as a lane sees it; false where it may not write there.
bool BlockRunner::write_bytes(std::uint64_t address, const void* from, std::uint32_t bytes,
                              int lane) {
  const Pointer window = window_of(address);
  const std::uint64_t offset = address % kWindowBytes;
  const auto* source = static_cast<const std::byte*>(from);
  const auto mark = [](std::uint8_t& valid, std::uint64_t at) {
    valid |= static_cast<std::uint8_t>(1u << (at % 4));
  };
  if (window == kSharedWindow) {
    if (offset + bytes > context.shared_bytes) return false;
    std::memcpy(context.shared + offset, source, bytes);
    for (std::uint64_t at = offset; at < offset + bytes; ++at)
      mark(context.shared_valid[at / 4], at);
    return true;
  }
  if (window == kLocalWindow) {
    if (offset + bytes > context.local_bytes) return false;
    for (std::uint32_t k = 0; k < bytes; ++k) {
      const std::uint64_t at = offset + k, word = at / 4 * 32 + static_cast<std::uint32_t>(lane);
      context.local[word * 4 + at % 4] = source[k];
      mark(context.local_valid[word], at);
    }
    return true;
  }
  const Allocation* a = observer.table->at(address);
  if (!a || a->freed || a->kind == AllocationKind::constant || a->kind == AllocationKind::array)
    return false;
  return launch.module.memory().write(address, {source, bytes}).has_value();
}

/// The value that a call gives back to one lane.
void BlockRunner::put_result(const CallFrame& frame, const isa::ParameterPlace& place, int lane,
                             std::uint64_t value) {
  for (std::uint32_t w = 0; w < std::min(place.bytes / 4, 2u); ++w) {
    const auto word = static_cast<std::uint32_t>(value >> (32 * w));
    std::memcpy(frame.rows.get() + place.row + 128 * w + 4 * static_cast<std::uint32_t>(lane),
                &word, sizeof word);
  }
}

bool BlockRunner::read_string(std::uint64_t address, std::string& to, const Fragment&,
                              const BasicBlock& b, int lane) {
  for (std::size_t i = 0; i < kMaxString; ++i) {
    char c;
    if (!read_bytes(address + i, &c, 1, lane)) {
      RawFinding finding;
      finding.code = address < kNullBytes ? ErrorCode::null_access : ErrorCode::wild_access;
      finding.block = context.block_index;
      finding.thread = thread_of(lane);
      finding.instruction = b.first_instruction + b.instructions - 1;
      finding.address = address + i;
      finding.bytes = 1;
      finding.table = observer.table;
      observer.find(std::move(finding));
      return false;
    }
    if (c == 0) return true;
    to += c;
  }
  return true;
}

void BlockRunner::external(WarpState&, Fragment& f, const isa::CallDetail& d, const BasicBlock& b) {
  switch (d.external) {
    case isa::External::vprintf: print(f, d, b); break;
    case isa::External::assertfail: assert_fail(f, d, b); break;
    case isa::External::malloc:
    case isa::External::free: heap(f, d, b); break;
    default: device_runtime(f, d, b); break;
  }
}

/// vprintf(format, arguments): each argument at its own alignment, floats as doubles.
void BlockRunner::print(const Fragment& f, const isa::CallDetail& d, const BasicBlock& b) {
  BlockState& block = *context.block;
  const bool drops = launch.request.budget.drop_output;
  const std::uint64_t most = launch.request.budget.output_bytes;
  for (std::uint32_t m = f.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::uint64_t room =
        drops ? launch.output_room() -
                    std::min<std::uint64_t>(launch.output_room(), block.output.size())
              : most;
    std::string format;
    std::string text;
    std::uint32_t arguments = 0;
    if (read_string(argument(*f.frame, d.arguments[0], lane), format, f, b, lane)) {
      std::uint64_t at = argument(*f.frame, d.arguments[1], lane);
      bool good = true;
      const auto next = [&](std::uint32_t bytes) {
        std::uint64_t value = 0;
        at = (at + bytes - 1) / bytes * bytes;
        good = good && read_bytes(at, &value, bytes, lane);
        at += bytes;
        return value;
      };
      for (Conversion& c : conversions_of(format)) {
        const int count = c.kind == 0 ? 0 : std::min(c.stars, 2);
        arguments += c.kind == 0 ? 0 : 1 + static_cast<std::uint32_t>(count);
        // A long format full of %s is far longer than what may be written of it.
        if (most != 0 && text.size() > room) continue;
        if (c.kind == 0) {
          text += c.text;
          continue;
        }
        int stars[2] = {0, 0};
        for (int s = 0; s < count; ++s)
          stars[s] = std::clamp(static_cast<int>(next(4)), -4096, 4096);
        switch (c.kind) {
          case 'd':
          case 'i':
            text += put(c.text + "lld", stars, count,
                        c.wide ? static_cast<long long>(next(8))
                               : static_cast<long long>(static_cast<std::int32_t>(next(4))));
            break;
          case 'o':
          case 'u':
          case 'x':
          case 'X':
            text += put(c.text + "ll" + c.kind, stars, count,
                        static_cast<unsigned long long>(next(c.wide ? 8 : 4)));
            break;
          case 'c': text += put(c.text + 'c', stars, count, static_cast<int>(next(4))); break;
          case 's': {
            const std::uint64_t pointer = next(8);
            std::string s;
            if (pointer == 0)
              s = "(null)";
            else
              (void)read_string(pointer, s, f, b, lane);
            text += put(c.text + 's', stars, count, s.c_str());
            break;
          }
          case 'p':
            text += put(c.text + 'p', stars, count, reinterpret_cast<void*>(next(8)));
            break;
          default:
            text += put(c.text + c.kind, stars, count, std::bit_cast<double>(next(8)));
            break;
        }
      }
      if (!good) text += "(arguments cannot be read)";
    }
    if (drops) {
      text.resize(std::min<std::uint64_t>(text.size(), room));
    } else if (const std::uint64_t written =
                   launch.output_bytes.fetch_add(text.size()) + text.size();
               most != 0 && written > most) {
      text.resize(text.size() - std::min<std::uint64_t>(text.size(), written - most));
      block.output += text;
      observer.output.emplace_back(block.index, std::move(block.output));
      block.output.clear();
      stop(at(ErrorCode::budget_output, {{"bytes", std::to_string(most)}}, b));
      return;
    }
    block.output += text;
    // The number of arguments is what CUDA's printf returns.
    if (!d.results.empty()) {
      std::memcpy(f.frame->rows.get() + d.results[0].row + 4 * lane, &arguments, sizeof arguments);
    }
  }
}

/// __assertfail(condition, file, line, function, size of a character)
void BlockRunner::assert_fail(const Fragment& f, const isa::CallDetail& d, const BasicBlock& b) {
  const int lane = std::countr_zero(f.mask);
  std::string condition, file, function;
  (void)read_string(argument(*f.frame, d.arguments[0], lane), condition, f, b, lane);
  (void)read_string(argument(*f.frame, d.arguments[1], lane), file, f, b, lane);
  (void)read_string(argument(*f.frame, d.arguments[3], lane), function, f, b, lane);
  Error error = at(ErrorCode::assertion,
                   {{"text", condition},
                    {"function", function},
                    {"thread", std::to_string(thread_of(lane))},
                    {"block", std::to_string(context.block_index)}},
                   b);
  const auto line = static_cast<std::uint32_t>(argument(*f.frame, d.arguments[2], lane));
  if (line != 0) error.place = {file, line, 0};
  stop(std::move(error));
}

/// malloc and cudaMalloc of a kernel: 0 where there is not so much memory.
Pointer BlockRunner::allocate_on_heap(std::string_view call, std::uint64_t bytes,
                                      const BasicBlock& b, int lane) {
  GlobalMemory& memory = launch.module.memory();
  const std::uint64_t limit = launch.request.budget.memory_bytes;
  // The host's own record of an allocation counts, too, because allocations of 0 bytes would otherwise cost nothing.
  const std::uint64_t taken = memory.committed() + heap_allocations_ * kHeapOverhead;
  if (limit != 0 && (taken >= limit || bytes > limit - taken)) return 0;
  const auto got = memory.allocate(
      fmt::format("{} of thread {} of block {}", call, thread_of(lane), context.block_index),
      ElementType::u8, bytes, AllocationKind::heap);
  if (!got) return 0;
  ++heap_allocations_;
  if (race) race->forget(*got, bytes);
  if (launch.request.observe.leaks) {
    RawFinding leak;
    leak.code = ErrorCode::leaked;
    leak.block = context.block_index;
    leak.thread = thread_of(lane);
    leak.instruction = b.first_instruction + b.instructions - 1;
    leak.space = Space::global;
    leak.address = *got;
    leak.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, 0xffffffff));
    observer.mallocs.emplace(*got, std::move(leak));
  }
  refresh_allocations();
  return *got;
}

/// free and cudaFree of a kernel, which do nothing with a null pointer.
Expected<void> BlockRunner::release_to_heap(std::string_view call, Pointer address) {
  if (address == 0) return {};
  if (auto released = launch.module.memory().release(address, call, AllocationKind::heap);
      !released)
    return released;
  observer.mallocs.erase(address);
  if (heap_allocations_ != 0) --heap_allocations_;
  refresh_allocations();
  return {};
}

/// To be called when memory was allocated or freed.
void BlockRunner::refresh_allocations() {
  ++context.changes;
  next_check_ = executed_;  // the table takes time, which must count for the budget of time
  GlobalMemory& memory = launch.module.memory();
  observer.table = memory.table();
  observer.table_version = memory.version();
  // Memory that was valid may have been freed, so every memo has to look it up again.
  for (AccessMemo& memo : observer.memos) memo.begin = 1, memo.last = 0;
}

void BlockRunner::heap(const Fragment& f, const isa::CallDetail& d, const BasicBlock& b) {
  for (std::uint32_t m = f.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::uint64_t value = argument(*f.frame, d.arguments[0], lane);
    if (d.external == isa::External::malloc) {
      put_result(*f.frame, d.results[0], lane, allocate_on_heap("malloc", value, b, lane));
    } else if (auto released = release_to_heap("free", value); !released) {
      stop(at(released.error().code, std::move(released.error().arguments), b));
      return;
    }
  }
}

}  // namespace warpbook::device
