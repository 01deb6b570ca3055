// What code says in English inside an argument ("atomic operation", "H200, simulated", who waits where), in a reader's
// language. The table [said] of lang/en.toml holds these phrases as patterns, by the argument that they stand in; the
// same keys of another language say them there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpbook::lab {

/// What "{name}" stands for where `text` is `pattern` filled; nothing where it is something else.
std::optional<std::vector<std::pair<std::string, std::string>>> unfilled(std::string_view pattern,
                                                                         std::string_view text);

class Wording {
 public:
  using Table = std::map<std::string, std::string, std::less<>>;
  Wording() = default;
  /// `english` and `language` are whole string tables.
  Wording(const Table& english, const Table& language);

  /// `text`, an argument called `argument`, in the language, whole or in pieces between line ends or "; ". What
  /// no phrase matches stays as it is.
  [[nodiscard]] std::string operator()(std::string_view argument, std::string_view text) const;

 private:
  struct Phrase {
    std::string english, said;
  };
  static std::optional<std::string> said_by(const std::vector<Phrase>& phrases,
                                            std::string_view text);

  std::map<std::string, std::vector<Phrase>, std::less<>>
      phrases_;  // by argument; most literal text first
};

}  // namespace warpbook::lab
