// The binary form's envelope and its two halves. Everything is little-endian and of fixed width; a text or a list is
// led by its length in 64 bits. Nothing in the input is trusted: a length is held against the bytes that are left before
// anything is made of it.
//
// Envelope (32 bytes): "WARPBOOK", u32 what, u32 version, u64 bytes of the payload, u64 checksum of the payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lab/model/fields.hpp"

namespace warpbook::lab {

inline constexpr std::string_view kFormMagic = "WARPBOOK";
inline constexpr std::uint32_t kFormVersion = 14;
inline constexpr std::size_t kEnvelopeBytes = 32;
enum class FormKind : std::uint32_t { report = 1, launch_record = 2 };

/// FNV-1a over 64-bit words, the last one filled up with zeros, then the length.
std::uint64_t checksum(std::span<const std::byte> bytes);

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsPair = false;
template <class A, class B>
inline constexpr bool kIsPair<std::pair<A, B>> = true;
template <class T>
inline constexpr bool kIsMap = false;
template <class K, class V, class C>
inline constexpr bool kIsMap<std::map<K, V, C>> = true;
template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;
/// Numbers that lie in memory as they lie in the form.
template <class T>
inline constexpr bool kIsPlain =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, std::byte>;

/// How many enumerators an enum that is saved has, from 0 on.
template <class E>
inline constexpr std::uint64_t kEnumerators = 0;
template <>
inline constexpr std::uint64_t kEnumerators<device::ElementType> = 12;
template <>
inline constexpr std::uint64_t kEnumerators<device::Evidence> = 5;
template <>
inline constexpr std::uint64_t kEnumerators<device::Space> = 7;
template <>
inline constexpr std::uint64_t kEnumerators<device::AccessKind> = 3;
template <>
inline constexpr std::uint64_t kEnumerators<device::Severity> = 4;
template <>
inline constexpr std::uint64_t kEnumerators<TensorExhibit::View> = 5;
template <>
inline constexpr std::uint64_t kEnumerators<CheckExhibit::State> = 4;
template <>
inline constexpr std::uint64_t kEnumerators<ImageExhibit::By> = 3;
template <>
inline constexpr std::uint64_t kEnumerators<SpacesExhibit::Space> = 8;
template <>
inline constexpr std::uint64_t kEnumerators<SpacesExhibit::Box> = 9;
template <>
inline constexpr std::uint64_t kEnumerators<StackExhibit::Side> = 3;
template <>
inline constexpr std::uint64_t kEnumerators<StackExhibit::State> = 3;
template <>
inline constexpr std::uint64_t kEnumerators<ComparisonExhibit::Source::Line::Kind> = 4;

class BinaryWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (write(values), ...);
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void append(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }

  template <class T>
  void write(const T& value) {
    if constexpr (kIsPlain<T>) {
      append(&value, sizeof value);
    } else if constexpr (std::is_same_v<T, bool>) {
      write(static_cast<std::uint8_t>(value));
    } else if constexpr (std::is_same_v<T, device::ErrorCode>) {
      write(std::string(
          name_of(value)));  // the codes' numbers move when one is added; their names stay
    } else if constexpr (std::is_enum_v<T>) {
      write(static_cast<std::uint8_t>(value));
    } else if constexpr (std::is_same_v<T, std::string>) {
      write(static_cast<std::uint64_t>(value.size()));
      append(value.data(), value.size());
    } else if constexpr (kIsVector<T>) {
      write(static_cast<std::uint64_t>(value.size()));
      if constexpr (kIsPlain<typename T::value_type>) {
        append(value.data(), value.size() * sizeof(typename T::value_type));
      } else {
        for (const auto& element : value) write(element);
      }
    } else if constexpr (kIsMap<T>) {
      write(static_cast<std::uint64_t>(value.size()));
      for (const auto& entry : value) write(entry);
    } else if constexpr (kIsPair<T>) {
      write(value.first);
      write(value.second);
    } else if constexpr (kIsOptional<T>) {
      write(value.has_value());
      if (value) write(*value);
    } else if constexpr (kIsVariant<T>) {
      write(static_cast<std::uint8_t>(value.index()));
      std::visit([this](const auto& held) { write(held); }, value);
    } else if constexpr (std::is_same_v<T, Values>) {
      write(value.all());
    } else {
      fields(*this, value);
    }
  }

  std::vector<std::byte> bytes_;
};

/// What is wrong with the input; binary.cpp turns it into an Error.
struct DamagedForm : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class BinaryReader {
 public:
  explicit BinaryReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  void take(void* into, std::size_t size) {
    if (size > rest_.size()) throw DamagedForm("it ends too early");
    if (size != 0) std::memcpy(into, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }

  /// A length of things that take at least `least` bytes each.
  std::uint64_t length(std::size_t least) {
    std::uint64_t count = 0;
    read(count);
    if (count > rest_.size() / least) throw DamagedForm("a length reaches past its end");
    return count;
  }

  std::uint8_t below(std::uint64_t bound) {
    std::uint8_t value = 0;
    read(value);
    if (value >= bound) throw DamagedForm("a value that does not exist");
    return value;
  }

  template <class T>
  void read(T& value) {
    if constexpr (kIsPlain<T>) {
      take(&value, sizeof value);
    } else if constexpr (std::is_same_v<T, bool>) {
      value = below(2) != 0;
    } else if constexpr (std::is_same_v<T, device::ErrorCode>) {
      std::string name;
      read(name);
      value = code_named(name);
    } else if constexpr (std::is_enum_v<T>) {
      static_assert(kEnumerators<T> != 0, "say how many enumerators it has");
      value = static_cast<T>(below(kEnumerators<T>));
    } else if constexpr (std::is_same_v<T, std::string>) {
      value.resize(length(1));
      take(value.data(), value.size());
    } else if constexpr (kIsVector<T>) {
      read_vector(value);
    } else if constexpr (kIsMap<T>) {
      value.clear();
      for (std::uint64_t left = length(1); left != 0; --left) {
        std::pair<typename T::key_type, typename T::mapped_type> entry;
        read(entry);
        if (!value.insert(std::move(entry)).second) throw DamagedForm("a name that is there twice");
      }
    } else if constexpr (kIsPair<T>) {
      read(value.first);
      read(value.second);
    } else if constexpr (kIsOptional<T>) {
      bool there = false;
      read(there);
      value.reset();
      if (there) {
        typename T::value_type held{};
        read(held);
        value = std::move(held);
      }
    } else if constexpr (kIsVariant<T>) {
      read_alternative(value, below(std::variant_size_v<T>),
                       std::make_index_sequence<std::variant_size_v<T>>());
    } else if constexpr (std::is_same_v<T, Values>) {
      std::map<std::string, Value, std::less<>> entries;
      read(entries);
      for (auto& [name, entry] : entries) value.set(name, std::move(entry));
    } else {
      fields(*this, value);
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
      for (std::uint64_t left = length(1); left != 0; --left) read(value.emplace_back());
    }
  }

  template <class T, std::size_t... kIndex>
  void read_alternative(T& value, std::size_t index, std::index_sequence<kIndex...>) {
    ((index == kIndex ? read(value.template emplace<kIndex>()) : void()), ...);
  }

  static device::ErrorCode code_named(std::string_view name);

  std::span<const std::byte> rest_;
};

}  // namespace warpbook::lab
