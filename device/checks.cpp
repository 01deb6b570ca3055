#include "device/checks.hpp"

#include <string>
#include <utility>

namespace warpbook::device {

Expected<Checks> parse_checks(std::string_view words) {
  constexpr Checks kNoChecks{false, false, false, false, false, false},
      kAllChecks{true, true, true, true, true, true};
  constexpr std::pair<std::string_view, bool Checks::*> kNames[] = {
      {"memcheck", &Checks::memcheck},   {"initcheck", &Checks::initcheck},
      {"racecheck", &Checks::racecheck}, {"synccheck", &Checks::synccheck},
      {"leaks", &Checks::leaks},
  };
  if (words == "all") return kAllChecks;
  if (words == "none") return kNoChecks;
  Checks checks = kNoChecks;
  for (std::string_view rest = words;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    bool known = false;
    for (const auto& [name, member] : kNames) {
      if (word != name) continue;
      checks.*member = known = true;
    }
    if (!known) {
      return failure(
          ErrorCode::bad_argument,
          {{"text", "--check " + std::string(words)},
           {"why", Message{"phrase.why.no-checker", {{"word", std::string(word)}}, {}}}});
    }
    checks.whole_barriers = checks.synccheck;
    if (comma == std::string_view::npos) return checks;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace warpbook::device
