#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "lab/text/strings.hpp"

namespace warpbook::lab {
namespace {

void drop_trailing_zeros(std::string& digits) {
  if (digits.find('.') == std::string::npos) return;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
}

/// "-5", "12.5", "1e-7", "1,024", "-inf", "nan"; also with a comma behind it.
bool is_number(std::string_view word) {
  constexpr std::string_view kDigits = "0123456789";
  if (word.starts_with('-')) word.remove_prefix(1);
  if (word == "inf" || word == "nan") return true;
  if (word.empty() || kDigits.find(word.front()) == std::string_view::npos) return false;
  const std::size_t rest = word.find_first_not_of("0123456789.,");
  if (rest == std::string_view::npos) return true;
  if (word[rest] != 'e') return false;
  word.remove_prefix(rest + 1);
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  return !word.empty() && word.find_first_not_of(kDigits) == std::string_view::npos;
}

}  // namespace

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

std::string number(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  // Rounding first decides the exponent: 999999.7 at six digits is 1e+06's neighbour, not "1000000.".
  std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
  const std::size_t mark = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(mark + 1));
  if (exponent >= -5 && exponent < 15) {
    std::string plain = fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
    drop_trailing_zeros(plain);
    return plain;
  }
  std::string mantissa = scientific.substr(0, mark);
  drop_trailing_zeros(mantissa);
  return fmt::format("{}e{}", mantissa, exponent);
}

std::string typeset(std::string text) {
  if (text.find('-') == std::string::npos) return text;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (!is_number(word)) return text;
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  }
  std::string made;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool sign = text[at] == '-' && (at == 0 || text[at - 1] == ' ');
    made += sign ? std::string("−") : std::string(1, text[at]);
  }
  return made;
}

std::string figure(double value, int digits) { return typeset(number(value, digits)); }

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return number(seconds) + " s";
  struct Step {
    double unit;
    const char* name;
  };
  static constexpr std::array kSteps{Step{1, "s"}, Step{1e-3, "ms"}, Step{1e-6, "µs"},
                                     Step{1e-9, "ns"}};
  const double magnitude = std::fabs(seconds);
  if (magnitude == 0) return "0 s";
  for (const Step& step : kSteps) {
    // 0.9996 ms is shown as 1 ms: three digits are what is shown, so they decide the unit.
    if (magnitude >= step.unit * 0.9995) return number(seconds / step.unit, 3) + " " + step.name;
  }
  return number(seconds / 1e-9, 3) + " ns";
}

std::string byte_count(std::uint64_t bytes) {
  static constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1023.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return number(value, value >= 999.5 ? 4 : 3) + " " + kUnits[unit];
}

std::string amount(double value) {
  struct Step {
    double unit;
    const char* name;
  };
  for (const Step& step : {Step{1e12, " T"}, Step{1e9, " G"}, Step{1e6, " M"}, Step{1e3, " k"}}) {
    if (value >= step.unit * 0.9995) return number(value / step.unit, 3) + step.name;
  }
  return number(value, 3) + " ";
}

}  // namespace warpbook::lab
