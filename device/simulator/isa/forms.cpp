#include "device/simulator/isa/forms.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <optional>
#include <string>

#include "device/simulator/ptx/module.hpp"

namespace warpbook::device::isa {
namespace {

using ptx::Word;
using Words = std::vector<Word>;

/// One of the alternatives of a part, and the dialects that have it.
struct FormChoice {
  Words words;
  DialectRange dialects;
};
using Part = std::vector<FormChoice>;

/// One bit per word, where several words share a bit: a word whose bit is not set is not in the set.
using WordBits = std::uint64_t;
WordBits bits_of(std::span<const Word> words) {
  WordBits bits = 0;
  for (const Word w : words) bits |= WordBits{1} << static_cast<std::size_t>(w) % 64;
  return bits;
}

/// The modifiers of an opcode: an instruction has one choice of each part.
struct Form {
  const InstructionRow* row = nullptr;
  DialectRange dialects;
  std::vector<Part> parts;
  WordBits any = 0;                 ///< every word of every choice
  std::size_t least = 0, most = 0;  ///< modifiers
};

/// Modifiers of one kind keep their order; those of no kind may be anywhere.
enum class FormKind : std::uint8_t { none, type, space, layout, priority };

FormKind kind_of(Word w) {
  switch (w) {
    case Word::b1:
    case Word::u2:
    case Word::s2:
    case Word::u4:
    case Word::s4: return FormKind::type;
    case Word::global:
    case Word::shared:
    case Word::shared_cta:
    case Word::shared_cluster: return FormKind::space;
    case Word::row:
    case Word::col: return FormKind::layout;
    case Word::L2_evict_first:
    case Word::L2_evict_last:
    case Word::L2_evict_normal:
    case Word::L2_evict_unchanged: return FormKind::priority;
    default: return ptx::type_of(w) == ptx::Type::none ? FormKind::none : FormKind::type;
  }
}

std::uint32_t number_of(std::string_view digits) {
  std::uint32_t n = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), n);
  return n;
}

/// "6.3" is 603.
std::uint32_t version_of(std::string_view text) {
  const std::size_t dot = text.find('.');
  return 100 * number_of(text.substr(0, dot)) + number_of(text.substr(dot + 1));
}

/// Targets "90" or "30-69", versions "7.1-" or "-6.3", or both: "90/8.0-".
DialectRange dialects_of(std::string_view text) {
  DialectRange range;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('/'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::size_t dash = part.find('-');
    if (part.find('.') == std::string_view::npos) {
      range.first_target = number_of(part.substr(0, dash));
      if (dash != std::string_view::npos) range.last_target = number_of(part.substr(dash + 1));
    } else if (dash == 0) {
      range.last_version = version_of(part.substr(1));
    } else {
      range.first_version = version_of(part.substr(0, dash));
    }
  }
  return range;
}

constexpr const char* kOfDialects = "0123456789.-/";

/// The position of the colon behind the dialects in "90:.a" or "8.0-: add"; nothing where no dialects are given.
std::optional<std::size_t> end_of_dialects(std::string_view text) {
  const std::size_t colon = text.find_first_not_of(kOfDialects);
  if (colon == 0 || colon == std::string_view::npos || text[colon] != ':') return std::nullopt;
  return colon;
}

/// A choice while it is being read: letters, which become words when all of them have been read.
struct Letters {
  std::string text;
  DialectRange dialects;
};

/// ".a" or "90:.a".
Letters letters_of(std::string_view text) {
  const auto colon = end_of_dialects(text);
  if (!colon) return {std::string(text), {}};
  return {std::string(text.substr(*colon + 1)), dialects_of(text.substr(0, *colon))};
}

/// Takes one group, <a|b> or (a|b), or the letters up to the next one; the result are its choices.
std::vector<Letters> take_choices(std::string_view& text) {
  const bool group = text.front() == '<' || text.front() == '(';
  const std::size_t end = group ? text.find_first_of(">)") : text.find_first_of("<(");
  std::string_view inside = text.substr(group ? 1 : 0, group ? end - 1 : end);
  text.remove_prefix(std::min(text.size(), group ? end + 1 : end));
  if (!group) return {{std::string(inside), {}}};
  std::vector<Letters> choices;
  for (;;) {
    const std::size_t bar = inside.find('|');
    choices.push_back(letters_of(inside.substr(0, bar)));
    if (bar == std::string_view::npos) return choices;
    inside.remove_prefix(bar + 1);
  }
}

Words words_of(std::string_view text) {
  Words words;
  if (text.starts_with('.')) text.remove_prefix(1);
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find('.'));
    words.push_back(ptx::find_word(word));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return words;
}

/// The dialects that have both of two choices; none needs an upper bound.
DialectRange both(DialectRange a, DialectRange b) {
  a.first_target = std::max(a.first_target, b.first_target);
  a.first_version = std::max(a.first_version, b.first_version);
  return a;
}

/// Each of `ends` behind each of `begins`.
std::vector<Letters> joined(const std::vector<Letters>& begins, const std::vector<Letters>& ends) {
  std::vector<Letters> result;
  for (const Letters& begin : begins) {
    for (const Letters& end : ends)
      result.push_back({begin.text + end.text, both(begin.dialects, end.dialects)});
  }
  return result;
}

/// The parts of "add<|.rn|.rz>.f<32|64>" are add, <|.rn|.rz> and .f32|.f64: a group that does not begin with a dot belongs
/// to the word before it.
std::vector<Part> parts_of(std::string_view text) {
  std::vector<std::vector<Letters>> read;
  while (!text.empty()) {
    std::vector<Letters> choices = take_choices(text);
    const bool apart = std::ranges::all_of(
        choices, [](const Letters& c) { return c.text.empty() || c.text.starts_with('.'); });
    if (read.empty() || apart)
      read.push_back(std::move(choices));
    else
      read.back() = joined(read.back(), choices);
  }
  std::vector<Part> parts;
  for (const auto& choices : read) {
    Part& part = parts.emplace_back();
    for (const Letters& c : choices) part.push_back({words_of(c.text), c.dialects});
    // Choices with more words are tried first, so that a modifier that is present is not taken for one that is left out.
    std::ranges::stable_sort(part, std::ranges::greater{},
                             [](const FormChoice& c) { return c.words.size(); });
  }
  return parts;
}

/// The opcode and modifiers of one instruction of a line, without its label, guard and operands; empty where there is
/// none.
std::string_view head_of(std::string_view piece) {
  while (!piece.empty()) {
    const std::string_view token = piece.substr(0, piece.find(' '));
    const bool before = token.empty() || token == "{" || token == "}" || token.ends_with(':') ||
                        token.starts_with('@');
    if (!before) return token.starts_with('.') ? std::string_view() : token;
    piece.remove_prefix(std::min(piece.size(), token.size() + 1));
  }
  return {};
}

/// The forms of each opcode, which are read when they are first asked for: a kernel has few of all opcodes, and who starts
/// the program waits for its first launch.
class FormTable {
 public:
  FormTable() {
    for (const InstructionRow& row : instruction_table())
      of_word(ptx::find_word(opcode_of(row))).rows.push_back(&row);
  }
  [[nodiscard]] std::span<const Form> of(Word opcode) {
    OfOpcode& all = of_word(opcode);
    std::call_once(all.read, [&] {
      for (const InstructionRow* row : all.rows)
        for (const FormLine& line : lines_of(*row)) add(all.forms, *row, line);
    });
    return all.forms;
  }

 private:
  struct OfOpcode {
    std::vector<const InstructionRow*> rows;
    std::once_flag read;
    std::vector<Form> forms;
  };

  OfOpcode& of_word(Word opcode) { return by_opcode_[static_cast<std::size_t>(opcode)]; }
  static std::string_view opcode_of(const InstructionRow& row) {
    return row.name.substr(0, row.name.find('.'));
  }

  /// A line may have instructions of other rows, which prepare the sample.
  static void add(std::vector<Form>& forms, const InstructionRow& row, const FormLine& line) {
    std::string_view text = line.text;
    while (!text.empty()) {
      const std::string_view piece = text.substr(0, text.find(';'));
      text.remove_prefix(std::min(text.size(), piece.size() + 1));
      const std::string_view head = head_of(piece);
      if (head.substr(0, head.find_first_of(".<(")) != opcode_of(row)) continue;
      Form form{&row, line.dialects, parts_of(head)};
      for (FormChoice& first : form.parts.front()) first.words.erase(first.words.begin());
      for (const Part& part : form.parts) {
        for (const FormChoice& c : part) form.any |= bits_of(c.words);
        form.most += part.front().words.size();
        form.least += part.back().words.size();
      }
      forms.push_back(std::move(form));
    }
  }

  std::array<OfOpcode, ptx::kWordCount> by_opcode_;
};

/// An instruction's modifiers, to be assigned to the parts of a form.
class Modifiers {
 public:
  explicit Modifiers(std::span<const Word> words) : words_(words), bits_(bits_of(words)) {}
  /// Only the choices that the dialect has count; without a dialect all of them do.
  [[nodiscard]] bool fit(const Form& form, std::optional<Dialect> dialect) const {
    if ((bits_ & ~form.any) != 0 || words_.size() < form.least || words_.size() > form.most)
      return false;  // which settles most forms quickly
    return fit(form.parts, dialect, 0);
  }

 private:
  /// Bit i of `taken`: the i-th word has been assigned.
  [[nodiscard]] bool fit(std::span<const Part> parts, std::optional<Dialect> dialect,
                         std::uint64_t taken) const {
    if (parts.empty()) return taken == (std::uint64_t{1} << words_.size()) - 1;
    return std::ranges::any_of(parts.front(), [&](const FormChoice& choice) {
      std::uint64_t with = taken;
      return (!dialect || choice.dialects.has(*dialect)) &&
             std::ranges::all_of(choice.words, [&](Word w) { return take(w, with); }) &&
             fit(parts.subspan(1), dialect, with);
    });
  }
  bool take(Word word, std::uint64_t& taken) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i] != word || taken >> i & 1) continue;
      const FormKind kind = kind_of(word);
      for (std::size_t k = 0; kind != FormKind::none && k < i; ++k) {
        if (!(taken >> k & 1) && kind_of(words_[k]) == kind) return false;
      }
      taken |= std::uint64_t{1} << i;
      return true;
    }
    return false;
  }

  std::span<const Word> words_;
  WordBits bits_;
};

constexpr std::size_t kMostModifiers = 32;  ///< more than any form has

}  // namespace

std::vector<FormLine> lines_of(const InstructionRow& row) {
  std::vector<FormLine> lines;
  std::string_view rest = row.forms;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.empty()) continue;
    DialectRange dialects;
    if (const auto colon = end_of_dialects(line)) {
      dialects = dialects_of(line.substr(0, *colon));
      line.remove_prefix(*colon + 2);
    }
    lines.push_back({dialects, line});
  }
  return lines;
}

FormMatch find_form(Word opcode, std::span<const Word> modifiers, Dialect dialect) {
  static FormTable forms;
  FormMatch match;
  if (modifiers.size() > kMostModifiers) return match;
  const Modifiers words(modifiers);
  for (const Form& form : forms.of(opcode)) {
    if (form.dialects.has(dialect) && words.fit(form, dialect)) return {HasForm::yes, form.row};
    if (match.has == HasForm::no && words.fit(form, std::nullopt)) match.has = HasForm::elsewhere;
  }
  return match;
}

}  // namespace warpbook::device::isa
