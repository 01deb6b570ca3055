// Every form of ld, ldu, st, atom and red in the table of instructions, against bytes kept by hand. Each thread has 256
// bytes of its own in global, shared and local memory, which all the samples of a row change one after the other.
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <map>
#include <random>

#include <fmt/format.h>

#include "tests/device/simulator/execute/truth.hpp"
#include "tests/device/simulator/execute/truth_values.hpp"
#include "tests/device/simulator/isa/samples.hpp"
#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests::memory_truth_test {
namespace {

using reference::Format;
using reference::Wide;

constexpr std::size_t kThreads = 64, kBytes = 256, kShown = 32;  // bytes that are read back

/// A sample taken apart.
struct Access {
  std::string sample, opcode, space = "global", type;
  std::vector<std::string> modifiers, into, values;
  std::size_t offset = 0, elements = 1, bytes = 0;
  bool is_signed = false;
  std::size_t first_input = 0, first_output = 0;
};

bool has(const Access& a, std::string_view modifier) {
  return std::find(a.modifiers.begin(), a.modifiers.end(), modifier) != a.modifiers.end();
}

std::vector<std::string> registers_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '_' || std::isdigit(static_cast<unsigned char>(text[i])) || text[i] == '%') {
      std::size_t end = text.find_first_of(",} ;", i);
      if (end == std::string::npos) end = text.size();
      names.push_back(text.substr(i, end - i));
      i = end;
    }
  }
  return names;
}

Access access_of(const std::string& sample) {
  Access a;
  a.sample = sample;
  const std::size_t space = sample.find(' ');
  std::string word;
  for (const char c : sample.substr(0, space) + ".") {
    if (c != '.') {
      word += c;
      continue;
    }
    a.modifiers.push_back(word);
    word.clear();
  }
  a.opcode = a.modifiers.front();
  for (const std::string& m : a.modifiers) {
    for (const char* s : {"shared", "local", "const", "param"}) {
      if (m.starts_with(s)) a.space = s;
    }
    if (m == "v2" || m == "v4" || m == "v8") a.elements = static_cast<std::size_t>(m[1] - '0');
  }
  a.type = a.modifiers.back();
  a.is_signed = a.type[0] == 's';
  const bool pair = a.type.ends_with("x2");
  const std::string digits = a.type.substr(a.type.find_first_of("0123456789"));
  a.bytes = pair ? 4 : std::stoul(digits) / 8;
  const std::size_t open = sample.find('['), close = sample.find(']');
  const std::string address = sample.substr(open, close - open);
  if (const std::size_t plus = address.find('+'); plus != std::string::npos)
    a.offset = std::stoul(address.substr(plus + 1));
  a.into = registers_in(sample.substr(space, open - space));
  a.values = registers_in(sample.substr(close + 1));
  std::erase(a.values, "%policy");
  return a;
}

// What the atomic operations compute.
double value_of(const Format& f, std::uint64_t bits) {
  if (f.fraction_bits == 52) return std::bit_cast<double>(bits);
  const Wide sign = bits & f.sign() ? Wide{1} << 63 : 0;
  return std::bit_cast<double>(static_cast<std::uint64_t>(
      sign | reference::encode(reference::kDouble, reference::decode(f, bits & (f.sign() - 1)),
                               reference::Rounding::nearest)));
}

std::uint64_t extreme(const Format& f, std::uint64_t a, std::uint64_t b, bool greater) {
  const double x = value_of(f, a), y = value_of(f, b);
  if (std::isnan(x) && std::isnan(y)) return f.nan;
  if (std::isnan(x)) return b;
  if (std::isnan(y)) return a;
  const bool less = x == y ? std::signbit(x) && !std::signbit(y) : x < y;
  return less != greater ? a : b;
}

std::uint64_t float_result(const Access& a, const Format& f, std::uint64_t old, std::uint64_t b) {
  if (has(a, "min") || has(a, "max")) return extreme(f, old, b, has(a, "max"));
  if (f.fraction_bits == 52) {
    const auto x = std::bit_cast<double>(old), y = std::bit_cast<double>(b);
    // The ISA leaves a NaN's payload open: here it is that of what was there, else of what is added.
    constexpr std::uint64_t kQuiet = std::uint64_t{1} << 51;
    if (std::isnan(x) || std::isnan(y)) return (std::isnan(x) ? old : b) | kQuiet;
    return std::bit_cast<std::uint64_t>(x + y);
  }
  const auto flushed = [&](std::uint64_t v) {
    // Single precision flushes subnormals in global memory (9.7.13.5).
    const bool flush = f.fraction_bits == 23 && a.space == "global";
    return flush && (v & f.infinity()) == 0 ? v & f.sign() : v;
  };
  const auto nearest = reference::Rounding::nearest;
  return flushed(reference::encode(
      f,
      reference::sum(reference::decode(f, flushed(old)), reference::decode(f, flushed(b)), nearest),
      nearest));
}

Wide atomic_result(const Access& a, Wide old, Wide b, Wide c) {
  const auto single = [&](const Format& f, Wide x, Wide y) {
    return Wide{float_result(a, f, static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y))};
  };
  if (has(a, "exch")) return b;
  if (has(a, "cas")) return old == b ? c : old;
  if (has(a, "and")) return old & b;
  if (has(a, "or")) return old | b;
  if (has(a, "xor")) return old ^ b;
  if (has(a, "inc")) return old >= b ? 0 : old + 1;
  if (has(a, "dec")) return old == 0 || old > b ? b : old - 1;
  const Format* f = a.type == "f32"                          ? &reference::kSingle
                    : a.type == "f64"                        ? &reference::kDouble
                    : a.type == "f16" || a.type == "f16x2"   ? &reference::kHalf
                    : a.type == "bf16" || a.type == "bf16x2" ? &reference::kBrain
                                                             : nullptr;
  if (f && a.type.ends_with("x2"))
    return single(*f, old & 0xffff, b & 0xffff) | single(*f, old >> 16, b >> 16) << 16;
  if (f) return single(*f, old, b);
  if (has(a, "add")) return old + b;
  const int bits = static_cast<int>(8 * a.bytes);
  const auto number = [&](Wide v) {
    auto n = static_cast<reference::SignedWide>(v);
    if (a.is_signed && (v >> (bits - 1) & 1)) n -= reference::SignedWide{1} << bits;
    return n;
  };
  return (number(b) < number(old)) == has(a, "min") ? b : old;
}

using Memory = std::vector<std::byte>;

/// One thread's part: memory changes, registers come out, in the order of `into`.
std::vector<Wide> perform(const Access& a, Memory& memory, const std::vector<Wide>& values) {
  std::vector<Wide> results;
  const bool store = a.opcode == "st", load = a.opcode.starts_with("ld");
  for (std::size_t k = 0; k < a.elements; ++k) {
    std::byte* at = memory.data() + a.offset + k * a.bytes;
    Wide old = 0;
    std::memcpy(&old, at, a.bytes);
    if (!load) {
      const bool swaps = has(a, "cas");
      const Wide next =
          store ? values[k] : atomic_result(a, old, values[k], swaps ? values[1] : Wide{0});
      std::memcpy(at, &next, a.bytes);
    }
    const auto bits = static_cast<int>(8 * a.bytes);
    if (a.is_signed && load && (old >> (bits - 1) & 1)) old |= ~Wide{0} << bits;
    results.push_back(old);
  }
  return results;
}

constexpr std::size_t kColumns = 2;  ///< words of a register, as wide as 128 bits

std::string move_in(const std::string& name, std::size_t column) {
  const std::size_t at = column * kThreads * 8;
  const int width = width_of(name);
  if (width == 128)
    return fmt::format(
        "ld.global.b64 %t64, [%in+{}];\nld.global.b64 %u64, [%in+{}];\nmov.b128 {}, {{%t64, "
        "%u64}};\n",
        at, at + kThreads * 8, name);
  return fmt::format("ld.global.b{} {}, [%in+{}];\n", width, name, at);
}
std::string move_out(const std::string& name, std::size_t column) {
  const std::size_t at = column * kThreads * 8;
  const int width = width_of(name);
  if (width == 128)
    return fmt::format(
        "mov.b128 {{%t64, %u64}}, {};\nst.global.b64 [%out+{}], %t64;\nst.global.b64 [%out+{}], "
        "%u64;\n",
        name, at, at + kThreads * 8);
  return fmt::format("st.global.b{} [%out+{}], {};\n", width, at, name);
}

std::string text_of(const std::vector<Access>& accesses, const Memory& constants) {
  std::string text = ptx_header();
  text += fmt::format(".const .align 128 .b8 the_const[{}] = {{", kBytes);
  for (std::size_t i = 0; i < kBytes; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", static_cast<int>(constants[i]));
  text += fmt::format("}};\n.shared .align 128 .b8 the_shared[{}];\n", kBytes * kThreads);
  text +=
      ".visible .entry k(.param .align 16 .b8 the_param[64], .param .u64 in, .param .u64 out, "
      ".param .u64 memory)\n{\n"
      ".local .align 128 .b8 the_local[256];\n.reg .b64 %in, %out, %at, %t64, %u64;\n"
      ".reg .b32 %i, %t;\n.reg .pred %skip;\n"
      ".reg .b64 %global, %shared, %local, %const, %generic, %policy;\n.reg .b32 %shared32;\n";
  for (const int width : {8, 16, 32, 64, 128}) {
    for (const char l : std::string("abcdefghijkl"))
      text += fmt::format(".reg .b{0} %{1}{0};\n", width, l);
  }
  text +=
      "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nld.param.u64 %global, [memory];\n"
      "mov.u32 %i, %tid.x;\nmul.wide.u32 %at, %i, 8;\nadd.u64 %in, %in, %at;\nadd.u64 %out, %out, "
      "%at;\n"
      "mul.wide.u32 %at, %i, 256;\nadd.u64 %global, %global, %at;\nmov.u64 %generic, %global;\n"
      "mov.u64 %shared, the_shared;\nadd.u64 %shared, %shared, %at;\ncvt.u32.u64 %shared32, "
      "%shared;\n"
      "mov.u64 %local, the_local;\nmov.u64 %const, the_const;\n"
      "createpolicy.fractional.L2::evict_last.b64 %policy, 1.0;\n"
      // The second warp runs its odd lanes alone.
      "shr.u32 %t, %i, 5;\nsub.u32 %t, %t, %i;\nand.b32 %t, %t, 1;\nsetp.ne.u32 %skip, %t, 0;\n"
      "shr.u32 %t, %i, 5;\nsetp.ne.and.u32 %skip, %t, 0, %skip;\n";
  for (std::size_t at = 0; at < kBytes; at += 8)
    text += fmt::format(
        "ld.global.b64 %t64, [%global+{0}];\nst.shared.b64 [%shared+{0}], %t64;\n"
        "st.local.b64 [%local+{0}], %t64;\n",
        at);
  for (std::size_t k = 0; k < accesses.size(); ++k) {
    const Access& a = accesses[k];
    std::size_t column = a.first_input;
    for (const std::string& name : a.values) {
      if (name[0] == '%') text += move_in(name, column);
      column += kColumns;
    }
    for (const std::string& name : a.into) {
      if (name == "_" || std::find(a.values.begin(), a.values.end(), name) != a.values.end())
        continue;
      const int width = width_of(name);
      text += width == 8     ? fmt::format("cvt.u8.u32 {}, 0;\n", name)
              : width == 128 ? fmt::format("mov.u64 %t64, 0;\nmov.b128 {}, {{%t64, %t64}};\n", name)
                             : fmt::format("mov.b{} {}, 0;\n", width, name);
    }
    text += fmt::format("@%skip bra L{0};\n{1}\nL{0}:\n", k, a.sample);
    column = a.first_output;
    for (const std::string& name : a.into) {
      if (name != "_") text += move_out(name, column);
      column += kColumns;
    }
    if (a.opcode.starts_with("ld")) continue;
    for (std::size_t at = 0; at < kShown; at += 8) {
      text += fmt::format("ld.{0}.b64 %t64, [%{0}+{1}];\nst.global.b64 [%out+{2}], %t64;\n",
                          a.space, at, column++ * kThreads * 8);
    }
  }
  return text + "ret;\n}\n";
}

void check(const std::string& row, std::vector<Access> accesses) {
  std::mt19937_64 random(11);
  std::size_t inputs = 0, outputs = 0;
  for (Access& a : accesses) {
    a.first_input = inputs;
    a.first_output = outputs;
    inputs += kColumns * a.values.size();
    outputs += kColumns * a.into.size() + (a.opcode.starts_with("ld") ? 0 : kShown / 8);
  }
  std::vector<Word64> in(std::max<std::size_t>(1, inputs) * kThreads);
  for (const Access& a : accesses) {
    for (std::size_t v = 0; v < a.values.size(); ++v) {
      if (a.values[v][0] != '%') continue;
      const int width = width_of(a.values[v]);
      const std::vector<Word64> pool =
          pool_of(width == 128 ? "64" : kind_of(a.modifiers, a.values[v]), random);
      for (std::size_t i = 0; i < kColumns * kThreads; ++i)
        in[(a.first_input + kColumns * v) * kThreads + i] = pool[random() % pool.size()];
    }
  }
  Memory constants(kBytes), parameter(64);
  for (Memory* m : {&constants, &parameter}) {
    for (std::byte& b : *m) b = static_cast<std::byte>(random());
  }
  std::vector<std::uint8_t> memory(kBytes * kThreads);
  for (auto& b : memory) b = static_cast<std::uint8_t>(random());
  std::array<std::uint64_t, 8> structure;
  std::memcpy(structure.data(), parameter.data(), 64);

  for (const HandlerSet set : {HandlerSet::sse2, HandlerSet::avx2}) {
    PtxBench bench(text_of(accesses, constants), set);
    bench.request.observe.initcheck = false;
    const Pointer input = bench.buffer("in", in), area = bench.buffer("memory", memory),
                  output = bench.buffer("out", std::vector<Word64>(outputs * kThreads));
    bench.good({1, 1, 1}, {kThreads, 1, 1}, structure, input, output, area);
    const std::vector<Word64> got = bench.read<Word64>(output, outputs * kThreads);
    for (std::size_t t = 0; t < kThreads; ++t) {
      const bool skipped = t >= 32 && t % 2 == 0;
      std::map<std::string, Memory> spaces;
      for (const char* s : {"global", "shared", "local"}) {
        spaces[s].resize(kBytes);
        std::memcpy(spaces[s].data(), memory.data() + t * kBytes, kBytes);
      }
      spaces["const"] = constants;
      spaces["param"] = parameter;
      for (const Access& a : accesses) {
        std::vector<Wide> values;
        std::map<std::string, Wide> before;
        for (std::size_t v = 0; v < a.values.size(); ++v) {
          const std::string& name = a.values[v];
          const auto word = [&](std::size_t w) {
            return in[(a.first_input + kColumns * v + w) * kThreads + t];
          };
          Wide value = Wide{word(1)} << 64 | word(0);
          if (name[0] != '%')
            value = name.starts_with("0f") ? std::stoull(name.substr(2), nullptr, 16)
                                           : std::stoull(name, nullptr, 0);
          else
            value = reference::low_bits(value, width_of(name));
          values.push_back(value);
          before[name] = value;
        }
        // A register that is named twice keeps the value written last.
        for (std::size_t v = 0; v < values.size(); ++v) values[v] = before[a.values[v]];
        std::vector<Wide> results;
        if (!skipped) results = perform(a, spaces[a.space], values);
        std::size_t column = a.first_output;
        bool right = true;
        for (std::size_t k = 0; k < a.into.size(); ++k, column += kColumns) {
          const std::string& name = a.into[k];
          if (name == "_") continue;
          const int width = width_of(name);
          const Wide want = reference::low_bits(skipped ? before[name] : results[k], width);
          const Wide have = Wide{width == 128 ? got[(column + 1) * kThreads + t] : 0} << 64 |
                            got[column * kThreads + t];
          right &= want == have;
        }
        if (!a.opcode.starts_with("ld")) {
          for (std::size_t at = 0; at < kShown; at += 8) {
            Word64 want;
            std::memcpy(&want, spaces[a.space].data() + at, 8);
            right &= want == got[column++ * kThreads + t];
          }
        }
        if (!right) {
          FAIL_CHECK(row << ": " << a.sample << " in thread " << t
                         << (set == HandlerSet::sse2 ? " (SSE2)" : " (AVX2)"));
          return;
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("every form of ld, ldu, st, atom and red moves the right bytes", "[device][ci]") {
  for (const isa::InstructionRow& row : isa::instruction_table()) {
    const bool wanted = row.name == "ld" || row.name == "ld.global.nc" || row.name == "ldu" ||
                        row.name == "st" || row.name == "atom" || row.name == "red";
    if (!wanted || row.support != isa::Support::executes) continue;
    std::vector<Access> accesses;
    for (const std::string& sample : samples_of(row)) {
      // Parameters of calls, in braces, forms_test passes.
      if (!sample.starts_with("{")) accesses.push_back(access_of(sample));
    }
    check(std::string(row.name), accesses);
  }
}

}  // namespace warpbook::device::tests::memory_truth_test
