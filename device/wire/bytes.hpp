// Values to bytes and back, by the lists of fields.hpp: for what goes between our own processes and into our own files.
// Both sides are the same program, so that the form needs no version. Numbers are little-endian and have no padding
// between them; a text or a list begins with its length in 64 bits; an enum takes one byte, or two where it has more
// than 256 values.
//
// A reader trusts nothing. It compares a length with the bytes that are left before it allocates anything, and an enum
// with the values that there are. After the first value that does not fit, all that follows reads as empty.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

#include "device/wire/fields.hpp"

namespace warpbook::device {

static_assert(std::endian::native == std::endian::little, "numbers are written as memory has them");

template <class T, template <class...> class Of>
inline constexpr bool kIsOf = false;
template <template <class...> class Of, class... A>
inline constexpr bool kIsOf<Of<A...>, Of> = true;
template <class T>
inline constexpr bool kIsArray = false;
template <class T, std::size_t kSize>
inline constexpr bool kIsArray<std::array<T, kSize>> = true;
/// Numbers that are the same in memory and in the bytes.
template <class T>
inline constexpr bool kIsPlain =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, std::byte>;
template <Named E>
using EnumBytes = std::conditional_t<(kEnumNames<E>.size() > 256), std::uint16_t, std::uint8_t>;

template <class T>
concept Validated = requires(const T& value) {
  { valid(value) } -> std::same_as<bool>;
};

class ByteWriter {
 public:
  template <class T>
  void operator()(std::string_view /*name*/, const T& value) {
    write(value);
  }
  template <class T>
  void write(const T& value) {
    if constexpr (kIsPlain<T>) {
      append(&value, sizeof value);
    } else if constexpr (std::is_same_v<T, bool>) {
      write(static_cast<std::uint8_t>(value));
    } else if constexpr (std::is_enum_v<T>) {
      static_assert(Named<T>, "an enum that is written needs its enum_names()");
      write(static_cast<EnumBytes<T>>(value));
    } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) {
      write(std::uint64_t{value.size()});
      append(value.data(), value.size());
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
      write(value.native());
    } else if constexpr (kIsOf<T, std::vector>) {
      write(std::uint64_t{value.size()});
      if constexpr (kIsPlain<typename T::value_type>) {
        append(value.data(), value.size() * sizeof(typename T::value_type));
      } else {
        for (const auto& element : value) write(element);
      }
    } else if constexpr (kIsArray<T>) {
      for (const auto& element : value) write(element);
    } else if constexpr (kIsOf<T, std::map>) {
      write(std::uint64_t{value.size()});
      for (const auto& entry : value) write(entry);
    } else if constexpr (kIsOf<T, std::pair> || kIsOf<T, std::tuple>) {
      std::apply([this](const auto&... each) { (this->write(each), ...); }, value);
    } else if constexpr (kIsOf<T, std::optional>) {
      write(value.has_value());
      if (value) write(*value);
    } else if constexpr (kIsOf<T, std::variant>) {
      write(static_cast<std::uint8_t>(value.index()));
      std::visit([this](const auto& held) { write(held); }, value);
    } else {
      fields(*this, value);
    }
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }

  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  void operator()(std::string_view /*name*/, T& value) {
    read(value);
  }
  template <class T>
  void read(T& value) {
    if constexpr (kIsPlain<T>) {
      take(&value, sizeof value);
    } else if constexpr (std::is_same_v<T, bool>) {
      value = below<std::uint8_t>(2) != 0;
    } else if constexpr (std::is_enum_v<T>) {
      static_assert(Named<T>, "an enum that is read needs its enum_names()");
      value = static_cast<T>(below<EnumBytes<T>>(kEnumNames<T>.size()));
    } else if constexpr (std::is_same_v<T, std::string>) {
      value.resize(length(1));
      take(value.data(), value.size());
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
      std::string native;
      read(native);
      value = std::move(native);
    } else if constexpr (kIsOf<T, std::vector>) {
      read_vector(value);
    } else if constexpr (kIsArray<T>) {
      for (auto& element : value) read(element);
    } else if constexpr (kIsOf<T, std::map>) {
      value.clear();
      for (std::uint64_t left = length(1); left != 0 && ok(); --left) {
        std::pair<typename T::key_type, typename T::mapped_type> entry;
        read(entry);
        if (!value.insert(std::move(entry)).second) fail("a name that is there twice");
      }
    } else if constexpr (kIsOf<T, std::pair> || kIsOf<T, std::tuple>) {
      std::apply([this](auto&... each) { (this->read(each), ...); }, value);
    } else if constexpr (kIsOf<T, std::optional>) {
      bool there = false;
      read(there);
      value.reset();
      // By assignment: to clang, a struct in another one has no default until that one ends.
      if (typename T::value_type inside{}; there) {
        read(inside);
        value = std::move(inside);
      }
    } else if constexpr (kIsOf<T, std::variant>) {
      const auto index = below<std::uint8_t>(std::variant_size_v<T>);
      read_alternative(value, index, std::make_index_sequence<std::variant_size_v<T>>());
    } else {
      read_struct(value);
    }
  }

  void fail(std::string_view why) {
    if (ok()) why_ = why;
    rest_ = {};
  }
  [[nodiscard]] bool ok() const { return why_.empty(); }
  /// Why the bytes are no such value; empty while they may be one.
  [[nodiscard]] std::string_view why() const { return why_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  /// Values inside values inside values: far more than any type of ours has, and far fewer than fill a stack.
  static constexpr int kDeepest = 64;

  void take(void* into, std::size_t size) {
    if (size > rest_.size()) {
      fail("it ends too early");
      std::memset(into, 0, size);
      return;
    }
    if (size != 0) std::memcpy(into, rest_.data(), size);
    rest_.remove_prefix(size);
  }

  /// The length of a list whose elements take at least `least` bytes each.
  std::uint64_t length(std::size_t least) {
    std::uint64_t count = 0;
    read(count);
    if (count <= rest_.size() / least) return count;
    fail("a length reaches past its end");
    return 0;
  }

  template <class T>
  T below(std::uint64_t bound) {
    T value{};
    read(value);
    if (value < bound) return value;
    fail("a value that does not exist");
    return 0;
  }

  template <class T>
  void read_struct(T& value) {
    if (depth_ == kDeepest) return fail("values inside each other without an end");
    ++depth_;
    fields(*this, value);
    --depth_;
    if constexpr (Validated<T>) {
      if (ok() && !valid(std::as_const(value))) fail("values that contradict each other");
    }
  }

  template <class T>
  void read_vector(std::vector<T>& value) {
    value.clear();
    if constexpr (kIsPlain<T>) {
      value.resize(length(sizeof(T)));
      take(value.data(), value.size() * sizeof(T));
    } else {
      // Elements are made one by one as their bytes are found, so that a false length costs nothing.
      for (std::uint64_t left = length(1); left != 0 && ok(); --left) read(value.emplace_back());
    }
  }

  template <class T, std::size_t... kIndex>
  void read_alternative(T& value, std::size_t index, std::index_sequence<kIndex...>) {
    ((index == kIndex ? read(value.template emplace<kIndex>()) : void()), ...);
  }

  std::string_view rest_, why_;
  int depth_ = 0;
};

template <class T>
std::string to_bytes(const T& value) {
  ByteWriter writer;
  writer.write(value);
  return writer.take();
}

/// The value, where the bytes are exactly one; else why they are not.
template <class T>
tl::expected<T, std::string_view> from_bytes(std::string_view bytes) {
  ByteReader reader(bytes);
  T value{};
  reader.read(value);
  if (reader.ok() && !reader.at_end()) reader.fail("something follows after its end");
  if (!reader.ok()) return tl::unexpected(reader.why());
  return value;
}

}  // namespace warpbook::device
