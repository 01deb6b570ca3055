#include "lab/experiment/guarded_buffer.hpp"

#include <algorithm>

namespace warpbook::lab {
namespace {

constexpr std::uint64_t kCanaryBytes =
    1024;  // a multiple of 256, which is how allocations are aligned
constexpr std::byte kCanary{0xc5};
constexpr std::byte kNaN{0xff};  // of every floating-point type

}  // namespace

GuardedBuffer::GuardedBuffer(Lab& lab, std::string name, device::ElementType type,
                             std::uint64_t count, std::uint64_t offset, bool fill)
    : device_(&lab.device()), name_(std::move(name)), bytes_(count * device::size_of(type)) {
  if (bytes_ == 0) return;
  before_ = offset * device::size_of(type);
  if (device_->supports(device::Feature::findings)) {
    whole_ = lab.allocate(name_, type, offset + count);
  } else {
    before_ += kCanaryBytes;
    after_ = kCanaryBytes;
    whole_ = lab.allocate(name_, device::ElementType::u8, before_ + bytes_ + after_);
  }
  address_ = whole_.address() + before_;
  const auto put = [&](device::Pointer to, std::byte value, std::uint64_t bytes) {
    if (bytes != 0) wait_for(device_->fill(to, value, bytes));
  };
  put(whole_.address(), kCanary, before_);
  put(address_ + bytes_, kCanary, after_);
  if (fill) put(address_, kNaN, bytes_);
}

void GuardedBuffer::fill(std::byte value) {
  if (bytes_ != 0) wait_for(device_->fill(address_, value, bytes_));
}

void GuardedBuffer::copy_in(std::span<const std::byte> bytes) {
  if (!bytes.empty()) wait_for(device_->copy_in(address_, bytes));
}

std::vector<std::byte> GuardedBuffer::copy_out() const {
  std::vector<std::byte> bytes(bytes_);
  if (bytes_ != 0) wait_for(device_->copy_out(bytes, address_));
  return bytes;
}

std::optional<device::Error> GuardedBuffer::damage(const std::string& kernel) const {
  if (before_ + after_ == 0) return std::nullopt;
  std::vector<std::byte> all(before_ + bytes_ + after_);
  wait_for(device_->copy_out(all, whole_.address()));
  const auto changed = [&](std::uint64_t from, std::uint64_t bytes) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from);
    return bytes - static_cast<std::uint64_t>(
                       std::count(begin, begin + static_cast<std::ptrdiff_t>(bytes), kCanary));
  };
  const std::uint64_t before = changed(0, before_), after = changed(before_ + bytes_, after_);
  if (before + after == 0) return std::nullopt;
  return device::Error{device::ErrorCode::canary_damaged,
                       {{"kernel", kernel},
                        {"name", name_},
                        {"count", std::to_string(before + after)},
                        {"where", device::Message{before == 0  ? "phrase.where.after"
                                                  : after == 0 ? "phrase.where.before"
                                                               : "phrase.where.around",
                                                  {},
                                                  {}}}},
                       {}};
}

}  // namespace warpbook::lab
