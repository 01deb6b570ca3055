#include "lab/exhibits/devices/devices_picture.hpp"
#include "lab/markup/html_parts.hpp"
#include "lab/markup/svg_pen.hpp"

namespace warpbook::lab {
namespace {

constexpr double kDevicesPageWidth = 768;

}  // namespace

std::string html_body(const DevicesExhibit& devices, const Strings& strings,
                      const std::string& caption) {
  if (devices.devices.empty()) return {};
  const Canvas canvas = svg_canvas(kDevicesPageWidth, strings);
  std::string list;
  for (std::size_t i = 0; i < devices.links.size(); ++i)
    list += tagged("li", "", escaped(link_text(devices, i, strings)));
  return svg_of(drawing_of(devices, DevicesPlane(devices, kDevicesPageWidth), {}, canvas),
                caption) +
         (list.empty() ? "" : tagged("ul", "", list));
}

}  // namespace warpbook::lab
