// Every form in the table of instructions whose operands are registers, against a model, over edge values and random
// ones: in both builds of the handlers, with all lanes, with some lanes, and behind a guard.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

#include <fmt/format.h>

#include "tests/device/simulator/execute/truth.hpp"
#include "tests/device/simulator/execute/truth_values.hpp"
#include "tests/device/simulator/isa/samples.hpp"
#include "tests/device/simulator/ptx_bench.hpp"

namespace warpbook::device::tests::truth_test {
namespace {

using reference::Wide;

constexpr std::size_t kThreads = 64,
                      kCount = 2 * kThreads;  // a block of all lanes, one of the odd

struct Case {
  std::string sample;
  std::vector<Piece> pieces;
  std::map<std::string, std::vector<Word64>> sources;  ///< by register, one value a thread
  std::vector<std::string> results;
  std::vector<std::vector<Wanted>> wanted;  ///< by result, then by thread
  std::size_t first_column = 0;             ///< of its sources, and of its results
};

constexpr Word64 kBefore = 0x5a;  ///< what a destination holds before

bool is_skipped(std::size_t thread) { return thread >= kThreads && thread % 2 == 0; }

/// What each thread must have in the end.
void evaluate(Case& c) {
  c.wanted.resize(c.results.size());
  for (std::size_t i = 0; i < kCount; ++i) {
    Registers registers;
    for (const auto& [name, values] : c.sources) registers[name].bits = values[i];
    for (const std::string& name : c.results) {
      if (!c.sources.count(name)) registers[name].bits = width_of(name) == 1 ? 0 : kBefore;
    }
    if (!is_skipped(i)) evaluate_pieces(c.pieces, registers);
    for (std::size_t r = 0; r < c.results.size(); ++r)
      c.wanted[r].push_back(registers[c.results[r]]);
  }
}

Case case_of(const std::string& sample, std::vector<Piece> pieces, std::mt19937_64& random) {
  Case c;
  c.sample = sample;
  c.pieces = std::move(pieces);
  std::set<std::string> written;
  for (const Piece& p : c.pieces) {
    for (const Token& t : p.sources) {
      if (t.name.empty() || c.sources.count(t.name) || written.count(t.name)) continue;
      const std::vector<Word64> pool = pool_of(kind_of(p.modifiers, t.name), random);
      std::vector<Word64>& column = c.sources[t.name];
      for (std::size_t i = 0; i < kCount; ++i)
        column.push_back(width_of(t.name) == 1 ? random() & 1 : pool[random() % pool.size()]);
    }
    for (const Token& t : p.destinations) {
      if (!t.name.empty() && written.insert(t.name).second) c.results.push_back(t.name);
    }
  }
  return c;
}

std::string store_or_load(const char* what, const std::string& name, std::size_t column) {
  const int width = width_of(name);
  const std::size_t at = column * kCount * sizeof(Word64);
  const bool load = std::string(what) == "ld";
  if (width == 1) {
    return load ? fmt::format("ld.global.b32 %t, [%in+{}];\nsetp.ne.u32 {}, %t, 0;\n", at, name)
                : fmt::format("selp.b32 %t, 1, 0, {};\nst.global.b32 [%out+{}], %t;\n", name, at);
  }
  return load ? fmt::format("ld.global.b{} {}, [%in+{}];\n", width, name, at)
              : fmt::format("st.global.b{} [%out+{}], {};\n", width, at, name);
}

std::string text_of(const std::vector<Case>& cases, isa::Dialect dialect) {
  std::string text = header_of(dialect) +
                     ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                     ".reg .b64 %in, %out, %at;\n.reg .b32 %t, %i, %b;\n"
                     ".reg .pred %skip, %odd, %ap, %bp, %dp, %ep;\n";
  for (const int width : {8, 16, 32, 64}) {
    for (const char l : std::string("abcdefghijkl"))
      text += fmt::format(".reg .b{0} %{1}{0};\n", width, l);
  }
  text +=
      "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %i, %tid.x;\nmov.u32 %b, "
      "%ctaid.x;\n"
      "and.b32 %t, %i, 1;\nsub.u32 %t, %b, %t;\nsetp.eq.s32 %skip, %t, 1;\n"
      "mov.u32 %t, %ntid.x;\nmad.lo.u32 %i, %b, %t, %i;\nmul.wide.u32 %at, %i, 8;\n"
      "add.u64 %in, %in, %at;\nadd.u64 %out, %out, %at;\n";
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& c = cases[k];
    std::size_t column = c.first_column;
    for (const auto& [name, values] : c.sources) text += store_or_load("ld", name, column++);
    for (const std::string& name : c.results) {
      const int width = width_of(name);
      if (c.sources.count(name)) continue;
      text += width == 1   ? fmt::format("setp.ne.u32 {0}, %i, %i;\n", name)
              : width == 8 ? fmt::format("cvt.u8.u32 {}, {};\n", name, kBefore)
                           : fmt::format("mov.b{} {}, {};\n", width, name, kBefore);
    }
    // One instruction stands behind a guard where its number is odd, the others are jumped over.
    if (c.pieces.size() == 1 && k % 2 == 1)
      text += "@!%skip " + c.sample + "\n";
    else
      text += fmt::format("@%skip bra L{0};\n{1}\nL{0}:\n", k, c.sample);
    column = c.first_column;
    for (const std::string& name : c.results) text += store_or_load("st", name, column++);
  }
  return text + "ret;\n}\n";
}

void check(const std::string& row, std::vector<Case>& cases, isa::Dialect dialect) {
  std::size_t columns = 0;
  for (Case& c : cases) {
    c.first_column = columns;
    columns += std::max(c.sources.size(), c.results.size());
  }
  std::vector<Word64> in(columns * kCount);
  for (const Case& c : cases) {
    std::size_t column = c.first_column;
    for (const auto& [name, values] : c.sources)
      std::copy(values.begin(), values.end(),
                in.begin() + static_cast<std::ptrdiff_t>(column++ * kCount));
  }
  const std::string text = text_of(cases, dialect);
  for (const HandlerSet set : {HandlerSet::sse2, HandlerSet::avx2}) {
    PtxBench bench(text, set);
    bench.request.observe.initcheck = false;
    const Pointer input = bench.buffer("in", in),
                  output = bench.buffer("out", std::vector<Word64>(columns * kCount));
    bench.good({2, 1, 1}, {kThreads, 1, 1}, input, output);
    const std::vector<Word64> got = bench.read<Word64>(output, columns * kCount);
    for (const Case& c : cases) {
      const auto wrong = [&](std::size_t i) {
        for (std::size_t r = 0; r < c.results.size(); ++r) {
          const Word64 value = got[(c.first_column + r) * kCount + i];
          const Wanted& want = c.wanted[r][i];
          if (want.meets(value, width_of(c.results[r]))) continue;
          std::string shown;
          for (const auto& [source, values] : c.sources)
            shown += fmt::format(" {}={:#x}", source, values[i]);
          FAIL_CHECK(row << ": " << c.sample << shown
                         << fmt::format(": {} is {:#x}, want ", c.results[r], value)
                         << (want.bands.empty()
                                 ? fmt::format("{:#x}", static_cast<Word64>(want.bits))
                                 : fmt::format("{} +- {} or {} of it", want.bands[0].truth,
                                               want.bands[0].absolute, want.bands[0].relative))
                         << (set == HandlerSet::sse2 ? " (SSE2)" : " (AVX2)")
                         << (is_skipped(i) ? " where it is skipped" : ""));
          return true;
        }
        return false;
      };
      for (std::size_t i = 0; i < kCount; ++i) {
        if (wrong(i)) break;
      }
    }
  }
}

void check_samples(const isa::InstructionRow& row, const Samples& samples,
                   std::mt19937_64& random) {
  std::vector<Case> cases;
  const std::size_t repeats = std::clamp<std::size_t>(100 / (samples.texts.size() + 1), 1, 8);
  for (const std::string& sample : samples.texts) {
    const auto pieces = pieces_of(sample);
    Registers registers;
    if (!pieces || pieces->empty() || !evaluate_pieces(*pieces, registers)) continue;
    // Where an instruction has few forms, each is tried on more values.
    for (std::size_t k = 0; k < repeats; ++k) {
      cases.push_back(case_of(sample, *pieces, random));
      evaluate(cases.back());
    }
    if (cases.size() >= 400) {
      check(std::string(row.name), cases, samples.dialect);
      cases.clear();
    }
  }
  if (!cases.empty()) check(std::string(row.name), cases, samples.dialect);
}

/// Rows of which no sample computes on registers alone; where they are tested instead.
constexpr std::pair<std::string_view, std::string_view> kTestedElsewhere[] = {
#include "tests/device/simulator/isa/tested_elsewhere.inc"
};

}  // namespace

TEST_CASE("every form computes what the ISA says", "[device][ci]") {
  std::mt19937_64 random(20261121);
  for (const isa::InstructionRow& row : isa::instruction_table()) {
    for (const Samples& samples : samples_by_dialect(row)) check_samples(row, samples, random);
  }
}

TEST_CASE("every instruction that executes is held against a truth", "[device]") {
  for (const isa::InstructionRow& row : isa::instruction_table()) {
    if (row.support != isa::Support::executes) continue;
    CAPTURE(row.name, row.group);
    std::vector<std::string> samples;
    for (Samples& s : samples_by_dialect(row)) {
      for (std::string& text : s.texts) samples.push_back(std::move(text));
    }
    std::size_t modelled = 0;
    std::string missing;
    for (const std::string& sample : samples) {
      const auto pieces = pieces_of(sample);
      Registers registers;
      if (pieces && !pieces->empty() && evaluate_pieces(*pieces, registers))
        ++modelled;
      else if (missing.empty())
        missing = sample;
    }
    if (modelled == samples.size()) continue;
    CAPTURE(missing);
    const auto* elsewhere = std::find_if(std::begin(kTestedElsewhere), std::end(kTestedElsewhere),
                                         [&](const auto& t) { return t.first == row.name; });
    if (elsewhere == std::end(kTestedElsewhere)) {
      FAIL_CHECK("no test");
      continue;
    }
    std::ifstream file(WARPBOOK_SOURCE_DIR "/tests/device/" + std::string(elsewhere->second));
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    CHECK(text.find(std::string(row.name.substr(0, row.name.find('.')))) != std::string::npos);
  }
}

}  // namespace warpbook::device::tests::truth_test
