// Where the loader's fuzzer begins: `fuzz_seeds FOLDER` writes there a module for samples of every row of the
// instruction table, with no more around them than they use. What is short is soon changed where it matters.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device/simulator/isa/instruction_table.hpp"
#include "tests/device/simulator/isa/samples.hpp"

namespace {

using namespace warpbook::device;

constexpr std::size_t kARow = 6;  ///< samples of each, evenly from all it has

/// The registers and symbols in `text`, in their order.
std::vector<std::string> names_in(std::string_view text) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t after = text[at] == '%' ? at + 1 : at;
    const std::size_t end = std::min(text.find_first_not_of(kLetters, after), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (after != at || word.starts_with("the_")) names.emplace_back(word);
    at = std::max(end, at + 1);
  }
  return names;
}

/// Declarations and instructions, each with its end of line: a line, or all to a function's closing brace.
std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    do {
      end = std::min(text.find('\n', end), text.size() - 1) + 1;
    } while (end < text.size() && std::ranges::count(text.substr(at, end - at), '{') !=
                                      std::ranges::count(text.substr(at, end - at), '}'));
    pieces.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return pieces;
}

/// Of `pieces` those that what comes after them uses: `used`, and what defines that in its turn.
std::string only_used(const std::vector<std::string>& pieces, std::set<std::string>& used) {
  std::string text;
  for (std::size_t k = pieces.size(); k-- > 0;) {
    if (pieces[k].starts_with("st."))
      continue;  // what is read before it is written is only undefined
    const std::vector<std::string> names = names_in(pieces[k]);
    // An instruction has its result first; what declares several registers has no other names.
    const auto is_used = [&](const std::string& name) { return used.contains(name); };
    const bool declares = pieces[k].starts_with(".reg");
    const bool keeps =
        names.empty() || (declares ? std::ranges::any_of(names, is_used) : is_used(names.front()));
    if (!keeps) continue;
    if (!declares) used.insert(names.begin(), names.end());
    text.insert(0, pieces[k]);
  }
  return text;
}

std::string seed_of(const std::string& sample, isa::Dialect dialect) {
  const std::string begin = tests::the_samples_begin_with(dialect),
                    whole = tests::kernel_of({sample}, dialect);
  // What the kernel says of itself stands between the module's declarations and its own.
  const std::size_t entry = begin.find(".visible .entry"),
                    body = begin.find("{\n", begin.find(')', entry)) + 2;
  const std::string_view rest = std::string_view(whole).substr(begin.size());
  std::set<std::string> used;
  for (std::string& name : names_in(rest)) used.insert(std::move(name));
  const std::string inside = only_used(pieces_of(std::string_view(begin).substr(body)), used);
  const std::string outside = only_used(pieces_of(std::string_view(begin).substr(0, entry)), used);
  return fmt::format("{}{}{}{}", outside, begin.substr(entry, body - entry), inside, rest);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "fuzz_seeds FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder(argv[1]);
  std::filesystem::create_directories(folder);
  std::size_t count = 0;
  for (const isa::InstructionRow& row : isa::instruction_table()) {
    for (const tests::Samples& samples : tests::samples_by_dialect(row)) {
      const std::size_t step = std::max<std::size_t>(1, samples.texts.size() / kARow);
      for (std::size_t k = 0; k < samples.texts.size(); k += step) {
        std::ofstream(folder / fmt::format("{}.ptx", count++))
            << seed_of(samples.texts[k], samples.dialect);
      }
    }
  }
  fmt::print("{} modules\n", count);
  return count == 0;
}
