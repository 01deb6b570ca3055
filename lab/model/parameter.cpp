#include "lab/model/parameter.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "device/characters.hpp"
#include "lab/model/picture.hpp"

namespace warpbook::lab {
namespace {

using device::ErrorCode;
using device::trimmed;

device::Message names_of(std::span<const Parameter> parameters) {
  if (parameters.empty()) return {"phrase.words.none", {}, {}};
  std::vector<device::Message> names;
  for (const Parameter& parameter : parameters)
    names.push_back(device::Message::plain(parameter.name));
  return device::Message::list_of("list.separator", std::move(names));
}

/// What was copied from a figure may have minus signs.
std::string with_hyphens(std::string_view text) {
  constexpr std::string_view kMinus = "−";
  std::string typed(text);
  for (std::size_t at = typed.find(kMinus); at != std::string::npos; at = typed.find(kMinus, at))
    typed.replace(at, kMinus.size(), "-");
  return typed;
}

/// The whole of `text` as a number, in the C locale.
template <class T>
bool read_whole(std::string_view text, T& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

tl::unexpected<device::Error> refuse(ErrorCode code, const Parameter& parameter,
                                     std::string_view text) {
  return device::failure(code, {{"name", parameter.name},
                                {"value", std::string(text)},
                                {"minimum", fmt::format("{}", parameter.minimum)},
                                {"maximum", fmt::format("{}", parameter.maximum)}});
}

device::Expected<Value> parse_integer(const Parameter& parameter, std::string_view text) {
  std::int64_t value = 0;
  if (!read_whole(text, value)) {
    // "1e3" and "4.0" are whole numbers too, however they are spelled; "4.5" is not, and neither is what does not fit.
    double real = 0;
    const bool whole = read_whole(text, real) && std::isfinite(real) && std::trunc(real) == real;
    if (!whole) return refuse(ErrorCode::parameter_not_integer, parameter, text);
    if (std::fabs(real) > 0x1p53) return refuse(ErrorCode::parameter_out_of_range, parameter, text);
    value = static_cast<std::int64_t>(real);
  }
  const auto as_real = static_cast<double>(value);
  if (as_real < parameter.minimum || as_real > parameter.maximum) {
    return refuse(ErrorCode::parameter_out_of_range, parameter, text);
  }
  return Value{value};
}

device::Expected<Value> parse_real(const Parameter& parameter, std::string_view text) {
  double value = 0;
  if (!read_whole(text, value) || std::isnan(value))
    return refuse(ErrorCode::parameter_not_number, parameter, text);
  if (value < parameter.minimum || value > parameter.maximum) {
    return refuse(ErrorCode::parameter_out_of_range, parameter, text);
  }
  return Value{value};
}

device::Expected<Value> one_of(const Parameter& parameter, std::string_view text,
                               std::string known) {
  return device::failure(
      ErrorCode::parameter_not_a_choice,
      {{"name", parameter.name}, {"value", std::string(text)}, {"known", std::move(known)}});
}

device::Expected<Value> parse_toggle(const Parameter& parameter, std::string_view text) {
  for (const char* yes : {"true", "on", "yes", "1"}) {
    if (text == yes) return Value{true};
  }
  for (const char* no : {"false", "off", "no", "0"}) {
    if (text == no) return Value{false};
  }
  return one_of(parameter, text, "on, off");
}

device::Expected<Value> parse_choice(const Parameter& parameter, std::string_view text) {
  const auto& choices = parameter.choices;
  if (std::find(choices.begin(), choices.end(), text) != choices.end())
    return Value{std::string(text)};
  return one_of(parameter, text, fmt::format("{}", fmt::join(choices, ", ")));
}

/// A session may begin in another folder: the path is kept whole.
device::Expected<Value> parse_picture(std::string_view text) {
  if (text.empty()) return Value{std::string()};
  std::error_code failed;
  auto file = std::filesystem::absolute(std::filesystem::path(text), failed);
  if (failed) file = text;
  if (auto good = check_picture(file); !good) return tl::unexpected(good.error());
  return Value{file.lexically_normal().string()};
}

template <class T>
const T& required(const Values& values, std::string_view name) {
  const Value* value = values.find(name);
  const T* typed = value == nullptr ? nullptr : std::get_if<T>(value);
  if (typed == nullptr)
    throw std::logic_error("there is no parameter \"" + std::string(name) + "\" of that type");
  return *typed;
}

}  // namespace

std::string to_text(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* toggle = std::get_if<bool>(&value)) return *toggle ? "on" : "off";
  return std::get<std::string>(value);
}

const Value* Values::find(std::string_view name) const {
  const auto entry = values_.find(name);
  return entry == values_.end() ? nullptr : &entry->second;
}

std::int64_t Values::integer(std::string_view name) const {
  return required<std::int64_t>(*this, name);
}
double Values::real(std::string_view name) const { return required<double>(*this, name); }
bool Values::toggle(std::string_view name) const { return required<bool>(*this, name); }
const std::string& Values::choice(std::string_view name) const {
  return required<std::string>(*this, name);
}

Values defaults(std::span<const Parameter> parameters) {
  Values values;
  for (const Parameter& parameter : parameters) values.set(parameter.name, parameter.initial);
  return values;
}

device::Expected<Value> parse(const Parameter& parameter, std::string_view text) {
  text = trimmed(text);
  switch (parameter.type) {
    case Parameter::Type::integer: return parse_integer(parameter, with_hyphens(text));
    case Parameter::Type::real: return parse_real(parameter, with_hyphens(text));
    case Parameter::Type::toggle: return parse_toggle(parameter, text);
    case Parameter::Type::choice: return parse_choice(parameter, text);
    case Parameter::Type::picture: return parse_picture(text);
    case Parameter::Type::text: return Value{std::string(text)};
  }
  throw std::logic_error("a parameter of no type");
}

device::Expected<device::Done> assign(std::span<const Parameter> parameters, Values& values,
                                      std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    return device::failure(ErrorCode::bad_assignment,
                           {{"text", std::string(assignment)}, {"known", names_of(parameters)}});
  }
  const std::string_view name = trimmed(assignment.substr(0, equals));
  const auto parameter =
      std::find_if(parameters.begin(), parameters.end(),
                   [name](const Parameter& candidate) { return candidate.name == name; });
  if (parameter == parameters.end()) {
    return device::failure(ErrorCode::no_such_parameter,
                           {{"name", std::string(name)}, {"known", names_of(parameters)}});
  }
  device::Expected<Value> value = parse(*parameter, assignment.substr(equals + 1));
  if (!value) return tl::unexpected(value.error());
  values.set(parameter->name, std::move(*value));
  return device::Done{};
}

}  // namespace warpbook::lab
