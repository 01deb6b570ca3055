#include "tests/device/simulator/isa/neighbours.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "device/simulator/ptx/module.hpp"
#include "tests/device/simulator/isa/samples.hpp"

namespace warpbook::device::tests {
namespace {

using Words = std::vector<std::string>;

/// What any opcode may be tried with, beside the modifiers that its own samples have.
constexpr const char* kCommon[] = {
    "b8",      "b16",     "b32",  "b64",   "u8",     "u16",    "u32", "u64", "s8",   "s16",
    "s32",     "s64",     "f16",  "f16x2", "bf16",   "bf16x2", "f32", "f64", "rn",   "rz",
    "ftz",     "sat",     "relu", "noftz", "approx", "NaN",    "cc",  "lo",  "wide", "volatile",
    "relaxed", "acquire", "cta",  "gpu",   "global", "shared", "v2",  "v4",  "sync", "aligned"};

/// A sample around the instruction that it is of.
struct Sample {
  std::string before, after;
  Words words;  ///< opcode and modifiers
};

bool is_type(const std::string& word) {
  return ptx::type_of(ptx::find_word(word)) != ptx::Type::none;
}

/// The widths of the types, one after the other: instructions that agree in them take the same operands.
std::string widths_of(const Words& words) {
  std::string widths;
  for (const std::string& w : words) {
    if (!is_type(w)) continue;
    for (const char c : w) widths += std::isdigit(static_cast<unsigned char>(c)) ? c : ' ';
  }
  return widths;
}

Words words_of(const std::string& head) {
  Words words(1);
  for (const char c : head) {
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

/// Whether an instruction bears the name of its row, such as ld.global.nc.
bool bears(const Words& words, const std::string& name) {
  return std::ranges::all_of(words_of(name), [&](const std::string& part) {
    return std::ranges::any_of(
        words, [&](const std::string& w) { return w == part || w.starts_with(part + "::"); });
  });
}

std::vector<Sample> samples_taken_apart(const isa::InstructionRow& row) {
  const std::string name(row.name), opcode = name.substr(0, name.find('.'));
  std::vector<Sample> result;
  for (const std::string& text : samples_of(row)) {
    for (std::size_t at = text.find(opcode); at != std::string::npos;
         at = text.find(opcode, at + 1)) {
      const std::size_t end = text.find_first_of(" ;", at);
      Words words = words_of(text.substr(at, end - at));
      if ((at > 0 && text[at - 1] != ' ') || words[0] != opcode || !bears(words, name)) continue;
      result.push_back({text.substr(0, at), text.substr(end), std::move(words)});
      break;
    }
  }
  return result;
}

/// One modifier changed; an added one stands where the types begin.
Words changed(Words words, const Words& vocabulary, std::mt19937_64& random) {
  const std::string& other = vocabulary[random() % vocabulary.size()];
  const auto place = [&] {
    return words.begin() + 1 + static_cast<std::ptrdiff_t>(random() % (words.size() - 1));
  };
  const std::size_t change = words.size() == 1 ? 2 : random() % 3;
  if (change == 0)
    words.erase(place());
  else if (change == 1)
    *place() = other;
  else
    words.insert(std::find_if(words.begin() + 1, words.end(), is_type), other);
  return words;
}

bool repeats(const Words& words) {
  std::set<std::string> seen;
  return std::ranges::any_of(words, [&](const std::string& w) {
    const bool may = is_type(w) || w == "row" || w == "col";
    return !may && !seen.insert(w).second;
  });
}

std::string joined(const Words& words) {
  std::string head = words[0];
  for (std::size_t k = 1; k < words.size(); ++k) head += "." + words[k];
  return head;
}

void add_neighbours(const std::vector<Sample>& samples, std::size_t count, std::mt19937_64& random,
                    std::vector<std::string>& to) {
  std::set<std::string> all(std::begin(kCommon), std::end(kCommon)), there;
  std::map<std::string, std::vector<const Sample*>> by_widths;
  for (const Sample& s : samples) {
    all.insert(s.words.begin() + 1, s.words.end());
    there.insert(joined(s.words));
    by_widths[widths_of(s.words)].push_back(&s);
  }
  const Words vocabulary(all.begin(), all.end());
  std::size_t made = 0;
  for (std::size_t tries = 0; tries < 8 * count && made < count; ++tries) {
    const Sample& own = samples[random() % samples.size()];
    const Words words = changed(own.words, vocabulary, random);
    if (repeats(words)) continue;
    const auto alike = by_widths.find(widths_of(words));
    const Sample& s =
        alike == by_widths.end() ? own : *alike->second[random() % alike->second.size()];
    const std::string head = joined(words);
    if (!there.insert(head).second) continue;
    to.push_back(s.before + head + s.after);
    ++made;
  }
}

/// A register of the samples, such as %a16, in a text.
struct RegisterPlace {
  std::size_t begin = 0, end = 0;
  bool read = false;  ///< by its letter
};
std::vector<RegisterPlace> registers_of(const std::string& text) {
  static const std::regex of_samples(R"(%([a-l])(8|16|32|64)\b)");
  std::vector<RegisterPlace> places;
  for (std::sregex_iterator at(text.begin(), text.end(), of_samples), none; at != none; ++at) {
    const auto begin = static_cast<std::size_t>(at->position());
    places.push_back({begin, begin + static_cast<std::size_t>(at->length()),
                      std::string_view("abce").find((*at)[1].str()) != std::string_view::npos});
  }
  return places;
}

/// A sample with one register changed; the same text where none can be.
std::string with_another_register(const Sample& sample, std::mt19937_64& random) {
  std::string text = sample.before + joined(sample.words) + sample.after;
  const std::vector<RegisterPlace> places = registers_of(text);
  if (places.empty()) return text;
  const RegisterPlace& place = places[random() % places.size()];
  std::string name = text.substr(place.begin, 2);
  if (place.read && random() % 4 == 0)
    name = text.substr(place.begin, place.end - place.begin) + "+4";
  else
    name += std::array{"8", "16", "32", "64"}[random() % 4];
  return text.substr(0, place.begin) + name + text.substr(place.end);
}

template <class Wanted>
std::map<std::string, std::vector<Sample>> samples_by_opcode(const Wanted& wanted) {
  std::map<std::string, std::vector<Sample>> by_opcode;
  for (const isa::InstructionRow& row : isa::instruction_table()) {
    if (row.support != isa::Support::executes || !wanted(row)) continue;
    auto& of = by_opcode[std::string(row.name.substr(0, row.name.find('.')))];
    for (Sample& s : samples_taken_apart(row)) of.push_back(std::move(s));
  }
  return by_opcode;
}

}  // namespace

std::vector<std::string> neighbours(std::size_t count, std::mt19937_64& random) {
  std::vector<std::string> result;
  const auto any = [](const isa::InstructionRow&) { return true; };
  for (const auto& [opcode, samples] : samples_by_opcode(any)) {
    if (!samples.empty()) add_neighbours(samples, count, random, result);
  }
  return result;
}

std::vector<std::string> other_registers(std::size_t count, std::mt19937_64& random) {
  std::set<std::string> made;
  const auto computes = [](const isa::InstructionRow& row) {
    return row.family != isa::Family::other && row.family != isa::Family::move;
  };
  for (const auto& [opcode, samples] : samples_by_opcode(computes)) {
    for (std::size_t k = 0; k < count && !samples.empty(); ++k)
      made.insert(with_another_register(samples[random() % samples.size()], random));
  }
  return {made.begin(), made.end()};
}

}  // namespace warpbook::device::tests
