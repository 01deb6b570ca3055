// Values to bytes and back, for what goes between our own processes and into our own files.
// Little-endian, no padding. A reader never trusts its input: after the first value that does not
// fit, ok() is false and all that follows is empty.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "device/error.hpp"

namespace warpbook::device {

static_assert(std::endian::native == std::endian::little, "the wire form is the memory form");

class WireWriter {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T> WireWriter& put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  WireWriter& put(std::string_view text) {
    put(std::uint64_t{text.size()});
    bytes_.append(text);
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T> T get() {
    using Plain = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
    Plain value{};
    if (rest_.size() < sizeof value) {
      fail();
      return T{};
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return static_cast<T>(value);
  }
  std::string get_text() {
    const auto size = get<std::uint64_t>();
    if (size > rest_.size()) {
      fail();
      return {};
    }
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }
  /// How many entries follow, each of at least `least` bytes, so that a wrong count cannot make
  /// anyone allocate.
  std::size_t get_count(std::size_t least) {
    const auto count = get<std::uint64_t>();
    if (count > rest_.size() / least) {
      fail();
      return 0;
    }
    return count;
  }
  /// What was read fits in its bytes and makes no sense all the same.
  void fail() {
    ok_ = false;
    rest_ = {};
  }
  [[nodiscard]] bool ok() const { return ok_; }
  /// All was read and all of it fitted.
  [[nodiscard]] bool done() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

/// `value`, if all of the message was read and none of it was missing.
template <class T>
std::optional<T> if_whole(const WireReader& r, T value) {
  if (!r.done()) return std::nullopt;
  return value;
}

/// An error with its place. A code that no error has makes the message senseless.
void put(WireWriter& w, const Error& error);
void get(WireReader& r, Error& error);

/// What may be absent: whether it is there, and then itself by its own put() and get().
template <class T>
void put(WireWriter& w, const std::optional<T>& value) {
  w.put(value.has_value());
  if (value) put(w, *value);
}
template <class T>
void get(WireReader& r, std::optional<T>& value) {
  value.reset();
  if (r.get<bool>()) get(r, value.emplace());
}

}  // namespace warpbook::device
