#include "lab/text/wording.hpp"

#include <algorithm>
#include <array>

#include "device/error.hpp"

namespace warpbook::lab {
namespace {

constexpr std::string_view kPrefix = "said.";
// Arguments that speak of the same things as another.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kLike{
    {{"written_by", "who"}, {"owner", "who"}, {"from", "device"}}};

// What stands between pieces of a list, in English and otherwise.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kBetween{
    {{"\n", "\n"}, {"; ", "；"}}};

std::size_t literal_bytes(std::string_view pattern) {
  std::size_t bytes = 0;
  bool inside = false;
  for (const char c : pattern) {
    if (c == '{') inside = true;
    bytes += inside ? 0 : 1;
    if (c == '}') inside = false;
  }
  return bytes;
}

}  // namespace

std::optional<std::vector<std::pair<std::string, std::string>>> unfilled(std::string_view pattern,
                                                                         std::string_view text) {
  std::vector<std::pair<std::string, std::string>> arguments;
  while (true) {
    const std::size_t open = pattern.find('{');
    const std::string_view literal = pattern.substr(0, open);
    if (!text.starts_with(literal)) return std::nullopt;
    text.remove_prefix(literal.size());
    if (open == std::string_view::npos) {
      if (!text.empty()) return std::nullopt;
      return arguments;
    }
    const std::size_t close = pattern.find('}', open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string name(pattern.substr(open + 1, close - open - 1));
    pattern.remove_prefix(close + 1);
    // It reaches to where the literal behind it first stands, or to the end.
    const std::string_view next = pattern.substr(0, pattern.find('{'));
    const std::size_t end = pattern.empty() ? text.size() : text.find(next, 1);
    if (end == std::string_view::npos || end == 0) return std::nullopt;
    for (const auto& [between, said] : kBetween) {
      if (text.substr(0, end).find(between) != std::string_view::npos)
        return std::nullopt;  // a list, no piece of it
    }
    arguments.emplace_back(name, text.substr(0, end));
    text.remove_prefix(end);
  }
}

Wording::Wording(const Table& english, const Table& language) {
  for (const auto& [key, pattern] : english) {
    if (!key.starts_with(kPrefix)) continue;
    const auto said = language.find(key);
    if (said == language.end() || said->second == pattern) continue;
    const std::string rest = key.substr(kPrefix.size());
    phrases_[rest.substr(0, rest.find('.'))].push_back({pattern, said->second});
  }
  for (auto& [argument, phrases] : phrases_) {
    std::ranges::stable_sort(phrases, std::greater{},
                             [](const Phrase& p) { return literal_bytes(p.english); });
  }
}

std::string Wording::operator()(std::string_view argument, std::string_view text) const {
  for (const auto& [name, like] : kLike) {
    if (argument == name) argument = like;
  }
  const auto phrases = phrases_.find(argument);
  if (phrases == phrases_.end()) return std::string(text);
  if (auto said = said_by(phrases->second, text)) return *std::move(said);
  for (const auto& [between, said_between] : kBetween) {
    if (text.find(between) == std::string_view::npos) continue;
    std::string whole;
    bool any = false;
    for (std::string_view rest = text;;) {
      const std::size_t end = rest.find(between);
      const auto said = said_by(phrases->second, rest.substr(0, end));
      any = any || said;
      whole += said ? *said : rest.substr(0, end);
      if (end == std::string_view::npos) break;
      whole += said_between;
      rest.remove_prefix(end + between.size());
    }
    if (any) return whole;
  }
  return std::string(text);
}

std::optional<std::string> Wording::said_by(const std::vector<Phrase>& phrases,
                                            std::string_view text) {
  for (const Phrase& phrase : phrases) {
    if (const auto arguments = unfilled(phrase.english, text))
      return device::fill(phrase.said, *arguments);
  }
  return std::nullopt;
}

}  // namespace warpbook::lab
