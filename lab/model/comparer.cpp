#include "lab/model/comparer.hpp"

#include "device/launch_record.hpp"

namespace warpbook::lab {
namespace {

bool is_counter(std::string_view name) {
  bool found = name == "warps" || name == "multiplications" || name == "workspace";
  constexpr device::Counters kNone;
  for_each_counter(kNone, [&](std::string_view one, std::uint64_t) { found |= one == name; });
  return found;
}

/// "28,488" as a number; none where it is something else.
std::optional<double> whole_number(std::string_view text) {
  double value = 0;
  for (const char c : text) {
    if (c == ',') continue;
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return text.empty() ? std::nullopt : std::optional(value);
}

}  // namespace

void compare_texts(const Message& a, const Message& b, bool code, Comparer& comparer) {
  if (a != b) comparer.words(a, b, code);
  if (a.key.empty() || a.key != b.key) return;
  for (const auto& [name, value] : b.arguments) {
    const Message* other = device::argument_of(a.arguments, name);
    if (other && is_counter(name))
      comparer.figure(name, whole_number(other->text), whole_number(value.text));
  }
}

}  // namespace warpbook::lab
