// A listing goes by lines:
//
//     .section .text._Z3addPfi,"ax",@progbits
//     .L_x_0:
//             /*0090*/              @P0 BRA `(.L_x_0) ;       /* 0xfffffffc00fc0947 */
//                                                             /* 0x000fc0000383ffff */
#include "device/sass/listing.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "device/characters.hpp"

namespace warpbook::device {
namespace {

constexpr std::size_t kMostText = 400;
constexpr std::string_view kBlank = " \t\r";

/// Removes a comment from the front of `text` and returns its contents, trimmed.
std::optional<std::string_view> take_comment(std::string_view& text) {
  const std::string_view rest = trimmed(text);
  if (!rest.starts_with("/*")) return std::nullopt;
  const std::size_t end = rest.find("*/", 2);
  if (end == rest.npos) return std::nullopt;
  text = rest.substr(end + 2);
  return trimmed(rest.substr(2, end - 2));
}

std::optional<std::uint64_t> hexadecimal(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

/// One word of an instruction: "0x00000a00ff017b82" in a comment.
std::optional<std::uint64_t> take_word(std::string_view& text) {
  const auto comment = take_comment(text);
  if (!comment || !comment->starts_with("0x")) return std::nullopt;
  return hexadecimal(comment->substr(2));
}

/// "_Z3addPfi" of a line that begins the section of a function.
std::optional<std::string_view> section_of(std::string_view line) {
  constexpr std::string_view kSection = ".section", kCode = ".text.";
  // There is .sectioninfo as well.
  if (!line.starts_with(kSection) || line.find_first_of(kBlank) != kSection.size())
    return std::nullopt;
  std::string_view name = trimmed(line.substr(kSection.size()));
  if (name.starts_with('"')) name.remove_prefix(1);
  if (!name.starts_with(kCode)) return std::string_view();
  name.remove_prefix(kCode.size());
  return name.substr(0, name.find_first_of("\", \t"));
}

bool is_printable(std::string_view text) {
  return !text.empty() && text.size() <= kMostText &&
         std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

/// The instructions of one function, whose labels are known once its end is reached.
class Function {
 public:
  void label(std::string_view name) { waiting_.emplace_back(name); }

  void instruction(std::uint64_t address, std::string_view text, std::uint64_t low) {
    for (std::string& name : waiting_) labels_[std::move(name)] = address;
    waiting_.clear();
    instructions_[address] = {std::string(text), low, 0};
    last_ = &instructions_[address];
  }
  /// The second word, which has a line of its own.
  void high(std::uint64_t word) {
    if (last_) last_->high = word;
    last_ = nullptr;
  }
  std::map<std::uint64_t, ListedInstruction> finished() {
    for (auto& [address, one] : instructions_) put_addresses(one.text);
    std::erase_if(instructions_, [](const auto& one) { return !is_printable(one.second.text); });
    return std::move(instructions_);
  }

 private:
  /// `(.L_x_0) -> 0x90; a label that is nowhere keeps its name.
  void put_addresses(std::string& text) const {
    constexpr std::string_view kOpen = "`(";
    for (std::size_t at = 0; (at = text.find(kOpen, at)) != text.npos; ++at) {
      const std::size_t end = text.find(')', at);
      if (end == text.npos) return;
      const std::string name = text.substr(at + kOpen.size(), end - at - kOpen.size());
      const auto known = labels_.find(name);
      text.replace(at, end + 1 - at,
                   known == labels_.end() ? name : fmt::format("{:#x}", known->second));
    }
  }

  std::map<std::uint64_t, ListedInstruction> instructions_;
  std::map<std::string, std::uint64_t, std::less<>> labels_;
  std::vector<std::string> waiting_;  ///< labels of the instruction to come
  ListedInstruction* last_ = nullptr;
};

class Reader {
 public:
  void line(std::string_view line) {
    const std::string_view said = trimmed(line);
    if (const auto section = section_of(said)) {
      finish();
      name_ = *section;
    } else if (name_.empty()) {
      return;
    } else if (said.ends_with(':') && said.find_first_of(kBlank) == said.npos) {
      function_.label(said.substr(0, said.size() - 1));
    } else if (std::string_view rest = said; const auto word = take_word(rest)) {
      function_.high(*word);
    } else {
      instruction(said);
    }
  }
  Listing finished() {
    finish();
    return std::move(listing_);
  }

 private:
  void instruction(std::string_view line) {
    const auto comment = take_comment(line);
    const auto address = comment ? hexadecimal(*comment) : std::nullopt;
    const std::size_t end = line.find(';');
    if (!address || end == line.npos) return;
    std::string_view rest = line.substr(end + 1);
    if (const auto low = take_word(rest))
      function_.instruction(*address, trimmed(line.substr(0, end)), *low);
  }
  void finish() {
    if (!name_.empty()) listing_[name_] = function_.finished();
    function_ = {};
    name_.clear();
  }

  Listing listing_;
  std::string name_;
  Function function_;
};

}  // namespace

Listing read_listing(std::string_view text) {
  Reader reader;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finished();
}

}  // namespace warpbook::device
