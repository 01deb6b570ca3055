#include "lab/book/place_link.hpp"

#include <algorithm>
#include <charconv>

#include "device/characters.hpp"

namespace warpbook::lab {
namespace {
constexpr std::string_view kStep = "step", kGpu = "simulate";

std::string escaped(std::string_view text) {
  static constexpr std::string_view kPlain = "-_.~/", kHex = "0123456789ABCDEF";
  std::string made;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (device::is_letter(c) || device::is_digit(c) || kPlain.find(c) != kPlain.npos)
      made += c;
    else
      (made += '%') += {kHex[byte / 16], kHex[byte % 16]};
  }
  return made;
}

/// A "%" that no two digits follow stays as it is.
std::string unescaped(std::string_view text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      made += static_cast<char>(byte);
      i += 2;
    } else {
      made += text[i];
    }
  }
  return made;
}
}  // namespace

device::Expected<PlaceLink> place_link_of(std::string_view text) {
  PlaceLink link;
  const std::size_t mark = text.find('?');
  link.chapter = unescaped(text.substr(0, mark));
  std::string_view rest = mark == text.npos ? std::string_view() : text.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const std::size_t equals = part.find('=');
    if (equals == part.npos || equals == 0)
      return device::failure(device::ErrorCode::bad_value,
                             {{"key", "?"},
                              {"what", std::string(text)},
                              {"got", std::string(part)},
                              {"expected", device::Message{"phrase.link.part", {}, {}}}});
    const std::string name = unescaped(part.substr(0, equals)),
                      value = unescaped(part.substr(equals + 1));
    if (name == kStep)
      link.step = value;
    else if (name == kGpu)
      link.gpu = value;
    else
      link.values[name] = value;
  }
  return link;
}

std::string text_of(const PlaceLink& link) {
  std::string text = escaped(link.chapter), mark = "?";
  const auto add = [&](std::string_view name, const std::string& value) {
    text += mark + escaped(name) + "=" + escaped(value);
    mark = "&";
  };
  for (const auto& [name, value] : link.values) add(name, value);
  if (!link.gpu.empty()) add(kGpu, link.gpu);
  if (!link.step.empty()) add(kStep, link.step);
  return text;
}

PlaceLink place_link(const Lesson& lesson, const Inputs& inputs, const std::string& step) {
  PlaceLink link{lesson.slug, {}, step, inputs.gpu == Inputs{}.gpu ? std::string() : inputs.gpu};
  for (const Parameter& parameter : lesson.parameters) {
    const Value* value = inputs.values.find(parameter.name);
    if (value && *value != parameter.initial) link.values[parameter.name] = to_text(*value);
  }
  return link;
}

}  // namespace warpbook::lab
