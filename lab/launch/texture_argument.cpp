#include "lab/launch/texture_argument.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "device/platform.hpp"

namespace warpbook::lab {
namespace {

using device::AddressMode;
using device::ElementType;
using device::Expected;

constexpr std::uint64_t kMostBytes = std::uint64_t{8} << 30;
struct Shape {
  std::string_view name;
  std::size_t extents;  ///< numbers in EXTENT
  bool layered, cubemap;
};
constexpr Shape kShapes[] = {{"1d", 1, false, false},       {"2d", 2, false, false},
                             {"3d", 3, false, false},       {"1dlayered", 2, true, false},
                             {"2dlayered", 3, true, false}, {"cube", 1, false, true}};

std::string_view take_until(std::string_view& text, char stop) {
  const auto at = text.find(stop);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return part;
}

bool parse_number(std::string_view text, std::uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

bool parse_format(std::string_view text, device::ChannelFormat& format) {
  const auto times = text.find('x');
  if (!device::parse_element_type(text.substr(0, times), format.type)) return false;
  return times == std::string_view::npos || parse_number(text.substr(times + 1), format.channels);
}

bool parse_extent(std::string_view text, const Shape& shape, device::ArrayDescription& array) {
  std::array<std::uint32_t, 3> n{};
  std::size_t count = 0;
  for (; !text.empty() && count < n.size(); ++count) {
    if (!parse_number(take_until(text, 'x'), n[count])) return false;
  }
  if (!text.empty() || count != shape.extents) return false;
  array.layered = shape.layered;
  array.cubemap = shape.cubemap;
  array.width = n[0];
  array.height = shape.cubemap ? n[0] : n[1];
  array.depth = shape.cubemap ? 6 : n[2];
  if (shape.layered && shape.extents == 2) {
    array.height = 0;
    array.depth = n[1];
  }
  return true;
}

bool parse_address(std::string_view name, AddressMode& mode) {
  constexpr std::pair<std::string_view, AddressMode> kModes[] = {{"wrap", AddressMode::wrap},
                                                                 {"clamp", AddressMode::clamp},
                                                                 {"mirror", AddressMode::mirror},
                                                                 {"border", AddressMode::border}};
  for (const auto& [spelling, value] : kModes) {
    if (spelling == name) {
      mode = value;
      return true;
    }
  }
  return false;
}

bool parse_option(std::string_view option, const device::ChannelFormat& format,
                  device::TextureDescription& t) {
  const std::string_view name = take_until(option, '=');
  if (name == "normalized" && option.empty()) return t.normalised_coordinates = true;
  if (name == "srgb" && option.empty()) return t.srgb = true;
  if (name == "read" && option == "normalized") return t.normalised_read = true;
  if (name == "filter" && (option == "linear" || option == "point")) {
    t.linear_filter = option == "linear";
    return true;
  }
  if (name == "address") {
    AddressMode mode{};
    if (!parse_address(option, mode)) return false;
    t.address_mode.fill(mode);
    return true;
  }
  if (name != "border") return false;
  const bool real =
      format.type == ElementType::f32 || format.type == ElementType::f16 || t.normalised_read;
  const char* const end = option.data() + option.size();
  float value = 0;
  if (real) {
    if (const auto [at, error] = std::from_chars(option.data(), end, value);
        error != std::errc{} || at != end)
      return false;
  } else {
    std::int32_t whole = 0;
    if (const auto [at, error] = std::from_chars(option.data(), end, whole);
        error != std::errc{} || at != end)
      return false;
    value = std::bit_cast<float>(whole);
  }
  t.border.fill(value);
  return true;
}

}  // namespace

tl::unexpected<device::Error> refused(std::string_view text, device::Message why) {
  return device::failure(device::ErrorCode::bad_argument,
                         {{"text", std::string(text)}, {"why", std::move(why)}});
}

bool is_texture_argument(std::string_view text) {
  return text.starts_with("tex") || text.starts_with("surf");
}

Expected<TextureArgument> parse_texture_argument(std::string_view text) {
  TextureArgument a;
  std::string_view rest = text;
  std::string_view form = take_until(rest, ':');
  a.surface = form.starts_with("surf");
  form.remove_prefix(a.surface ? 4 : 3);
  a.linear = !a.surface && form == "linear";
  const auto* shape = std::ranges::find(kShapes, form, &Shape::name);
  if (!a.linear && shape == std::end(kShapes))
    return refused(text, {"phrase.why.texture-forms", {}, {}});
  const std::string_view format = take_until(rest, ':');
  if (!parse_format(format, a.array.format)) {
    return refused(text,
                   device::Message{"phrase.why.no-format", {{"format", std::string(format)}}, {}});
  }
  a.texture.format = a.array.format;
  a.texture.address_mode.fill(AddressMode::clamp);
  a.array.surface = a.surface;
  if (a.surface) {
    a.written_to = rest.find('=') == std::string_view::npos ? "" : rest.substr(rest.find('=') + 1);
    if (rest.ends_with('='))
      return refused(text, device::Message{"phrase.why.no-file-after", {}, {}});
    rest = rest.substr(0, rest.find('='));
  }
  if (!a.linear) {
    const std::string_view extent = take_until(rest, ':');
    if (!parse_extent(extent, *shape, a.array)) {
      return refused(text, device::Message{"phrase.why.no-extent",
                                           {{"extent", std::string(extent)},
                                            {"count", shape->extents},
                                            {"shape", std::string(shape->name)}},
                                           {}});
    }
  }
  std::string_view options = rest;
  a.read_from = a.surface ? rest : take_until(options, ',');
  if (a.read_from.empty() && !a.surface) return refused(text, {"phrase.why.texture-forms", {}, {}});
  while (!a.surface && !options.empty()) {
    const std::string_view option = take_until(options, ',');
    if (!parse_option(option, a.array.format, a.texture)) {
      return refused(
          text, device::Message{"phrase.why.no-option", {{"option", std::string(option)}}, {}});
    }
  }
  return a;
}

Expected<BoundTexture> bind_texture(device::Device& device, const TextureArgument& a,
                                    const std::string& name) {
  Expected<std::string> content = std::string();
  if (!a.read_from.empty()) content = device::read_file(a.read_from, kMostBytes);
  if (!content) return tl::unexpected(content.error());
  const auto bytes = std::as_bytes(std::span(*content));
  BoundTexture bound;
  device::TextureDescription t = a.texture;
  if (a.linear) {
    const auto address =
        device.allocate(name, a.texture.format.type, bytes.size() / size_of(a.texture.format.type));
    if (!address) return tl::unexpected(address.error());
    t.address = *address;
    t.bytes = bytes.size() / size_of(a.texture.format.type) * size_of(a.texture.format.type);
    if (const auto done = device.copy_in(t.address, bytes.first(t.bytes)).wait(); !done)
      return tl::unexpected(done.error());
  } else {
    device::ArrayDescription d = a.array;
    d.name = name;
    const auto array = device.create_array(d);
    if (!array) return tl::unexpected(array.error());
    bound.array = t.array = *array;
    bound.bytes =
        std::uint64_t{d.width} * std::max(d.height, 1u) * std::max(d.depth, 1u) * d.format.bytes();
    std::vector<std::byte> zeros(a.read_from.empty() ? bound.bytes : 0);
    if (!a.read_from.empty() && bytes.size() != bound.bytes) {
      return refused(
          a.read_from,
          device::Message{
              "phrase.why.texel-bytes", {{"bytes", bytes.size()}, {"needed", bound.bytes}}, {}});
    }
    const auto source = a.read_from.empty() ? std::span<const std::byte>(zeros) : bytes;
    if (const auto done = device.copy_in_array(*array, source).wait(); !done)
      return tl::unexpected(done.error());
  }
  if (a.surface) {
    const auto surface = device.create_surface(bound.array);
    if (!surface) return tl::unexpected(surface.error());
    bound.handle = surface->handle;
    bound.file = a.written_to;
    return bound;
  }
  const auto texture = device.create_texture(t);
  if (!texture) return tl::unexpected(texture.error());
  bound.handle = texture->handle;
  return bound;
}

}  // namespace warpbook::lab
