// Several devices: what their renderers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/exhibits/devices/devices.hpp"

namespace warpbook::lab {

std::uint64_t bytes_copied(const DevicesExhibit& devices);
std::uint64_t bytes_sent(const DevicesExhibit& devices, std::size_t device);
/// The device that sends the most; the first of several.
std::size_t busiest_sender(const DevicesExhibit& devices);
std::uint64_t bytes_held(const DevicesExhibit::Device& device);

/// The purposes that there are, in the order in which links first name them; and the number of a link's.
std::vector<Message> purposes_of(const DevicesExhibit& devices);
std::size_t purpose_of(const DevicesExhibit& devices, const DevicesExhibit::Link& link);

/// "weights 66 KiB, gradients 66 KiB".
std::string held_text(const DevicesExhibit::Device& device, const Strings& strings);
/// All of a device, or of a link, in a sentence.
std::string device_text(const DevicesExhibit& devices, std::size_t device, const Strings& strings);
std::string link_text(const DevicesExhibit& devices, std::size_t link, const Strings& strings);

}  // namespace warpbook::lab
