#include "lab/grading/late.hpp"

#include <algorithm>
#include <charconv>

namespace warpbook::lab {
namespace {

constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60;
constexpr double kAll = 100;  // percent

}  // namespace

std::optional<LateRule> parse_late_rule(std::string_view text) {
  LateRule rule;
  if (text == "none") return rule;
  if (text == "zero") {
    rule.percent = kAll;
    return rule;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rule.percent);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  rule.each_day = rest == "%/day";
  const bool known = error == std::errc() && (rest == "%" || rule.each_day);
  if (!known || !(rule.percent >= 0) || rule.percent > kAll) return {};
  return rule;
}

Lateness lateness_of(const HandedIn& file, const LateRule& rule) {
  if (!file.when || !rule.due) return {file.marked_late, {}};
  const std::int64_t after = *file.when - *rule.due;
  if (after <= rule.grace) return {};
  return {true, after};
}

double points_after(const LateRule& rule, const Lateness& lateness, double points,
                    double possible) {
  if (!lateness.late) return points;
  const std::int64_t days =
      rule.each_day && lateness.seconds ? (*lateness.seconds + kDay - 1) / kDay : 1;
  return std::max(0.0, points - possible * rule.percent / kAll * static_cast<double>(days));
}

}  // namespace warpbook::lab
