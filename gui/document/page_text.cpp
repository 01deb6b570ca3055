#include "gui/document/page_text.hpp"

#include <algorithm>

#include "gui/draw/paragraph.hpp"
#include "lab/text/unicode.hpp"

namespace warpbook::gui {

namespace {
/// The unit that holds the character at `offset` or, with `end`, the character before it; null where there is none.
const std::pair<std::size_t, std::size_t>* unit_with(const TextPart& part, std::size_t offset,
                                                     bool end) {
  const auto found = std::ranges::find_if(part.units, [&](const auto& unit) {
    return end ? offset > unit.first && offset <= unit.second
               : offset >= unit.first && offset < unit.second;
  });
  return found == part.units.end() ? nullptr : &*found;
}

/// Where the character after that at `offset` begins.
std::size_t after_character(std::string_view text, std::size_t offset) {
  std::string_view rest = text.substr(offset);
  lab::take_code_point(rest);
  return text.size() - rest.size();
}

/// The words with a minus sign for each hyphen: formulae have a minus sign, which no keyboard has.
std::string with_minus(const std::string& typed) {
  std::string text;
  for (const char c : typed) text += c == '-' ? std::string("−") : std::string(1, c);
  return text;
}
}  // namespace

std::size_t PageText::index_of(const TextPlace& place) const {
  const auto found = std::ranges::lower_bound(
      parts_, std::pair(place.node, place.part), {},
      [](const TextPart& part) { return std::pair(part.node, part.part); });
  return static_cast<std::size_t>(found - parts_.begin());
}

TextPlace PageText::begin() const {
  return parts_.empty() ? TextPlace{} : TextPlace{parts_[0].node, parts_[0].part, 0};
}

TextPlace PageText::end() const {
  if (parts_.empty()) return {};
  const TextPart& last = parts_.back();
  return {last.node, last.part, last.text.size()};
}

TextPlace PageText::after(const TextPlace& place) const {
  const std::size_t index = index_of(place);
  if (index == parts_.size()) return place;
  const TextPart& part = parts_[index];
  if (const auto* unit = unit_with(part, place.offset, false))
    return {part.node, part.part, unit->second};
  if (place.offset < part.text.size()) {
    return {part.node, part.part, after_character(part.text, place.offset)};
  }
  if (index + 1 == parts_.size()) return place;
  return {parts_[index + 1].node, parts_[index + 1].part, 0};
}

TextPlace PageText::before(const TextPlace& place) const {
  const std::size_t index = index_of(place);
  if (index == parts_.size()) return place;
  const TextPart& part = parts_[index];
  if (const auto* unit = unit_with(part, place.offset, true))
    return {part.node, part.part, unit->first};
  std::size_t at = 0, last = 0;
  while (at < std::min(place.offset, part.text.size())) {
    last = at;
    at = after_character(part.text, at);
  }
  if (at > 0) return {part.node, part.part, last};
  if (index == 0) return place;
  const TextPart& other = parts_[index - 1];
  return {other.node, other.part, other.text.size()};
}

const TextPart* PageText::neighbour(const TextPlace& place, int by) const {
  const auto index = static_cast<std::ptrdiff_t>(index_of(place)) + by;
  if (index < 0 || index >= static_cast<std::ptrdiff_t>(parts_.size())) return nullptr;
  return &parts_[static_cast<std::size_t>(index)];
}

std::pair<TextPlace, TextPlace> PageText::unit_at(const TextPlace& place, Grain grain) const {
  const std::size_t index = index_of(place);
  if (index == parts_.size() || grain == Grain::character) return {place, place};
  const TextPart& part = parts_[index];
  const auto* unit = unit_with(part, place.offset, false);
  const auto [from, to] = grain == Grain::paragraph
                              ? std::pair<std::size_t, std::size_t>(0, part.text.size())
                          : unit ? *unit
                                 : word_at(part.text, place.offset);
  return {{part.node, part.part, from}, {part.node, part.part, to}};
}

std::string PageText::between(const TextPlace& from, const TextPlace& to) const {
  std::string text;
  const TextPart* last = nullptr;
  for (std::size_t i = index_of(from); i < parts_.size(); ++i) {
    const TextPart& part = parts_[i];
    const bool first = part.node == from.node && part.part == from.part;
    const TextPlace end{part.node, part.part, part.text.size()};
    const std::size_t begin = first ? std::min(from.offset, part.text.size()) : 0,
                      stop = to < end ? to.offset : part.text.size();
    if (to <= TextPlace{part.node, part.part, begin}) break;
    if (begin == stop && part.lead.empty()) continue;
    if (last) text += part.node == last->node ? "\n" : "\n\n";
    if (begin == 0) text += part.lead;
    text.append(part.text, begin, stop - begin);
    last = &part;
  }
  return text;
}

std::vector<TextRange> PageText::find(std::string_view words) const {
  std::vector<TextRange> found;
  const std::string typed = lab::case_folded(words), formula = with_minus(typed);
  if (typed.empty()) return found;
  for (const TextPart& part : parts_) {
    const std::string text = lab::case_folded(part.text);
    const auto look_for = [&](const std::string& wanted) {
      for (std::size_t at = text.find(wanted); at != std::string::npos;
           at = text.find(wanted, at + wanted.size()))
        found.push_back({part.node, part.part, at, at + wanted.size()});
    };
    look_for(typed);
    if (formula != typed) look_for(formula);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace warpbook::gui
