// JSON, and the schema that describes it, from the lists of fields that every struct has (device/wire/fields.hpp). A field is
// a key, an enum its name, an optional that is empty null. All text is valid UTF-8, a Message is its text in English, and
// numbers that JSON does not have are the texts "nan", "inf" and "-inf".
//
// Beside its fields a struct may have computed entries: `void extras(JsonExtras& json, const T& value)`, or with the exhibit that
// the value is a part of as a third argument, says them by name. An entry of a field's name takes that field's place.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "device/error.hpp"
#include "device/launch_record.hpp"
#include "device/sass/sass.hpp"
#include "device/types.hpp"
#include "device/wire/bytes.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

nlohmann::json json_text(std::string_view text);
nlohmann::json json_number(double value);
/// A hash of inputs as every document spells it: 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);
nlohmann::json to_json(const device::Error& error);

class JsonExtras;
template <class T>
concept HasKind = requires {
  { T::kKind } -> std::convertible_to<std::string_view>;
};
/// Says the computed entries of a value that is part of `whole`.
template <class T, class Whole>
void say_extras(JsonExtras& into, const T& value, const Whole& whole) {
  if constexpr (requires { extras(into, value, whole); })
    extras(into, value, whole);
  else if constexpr (requires { extras(into, value); })
    extras(into, value);
}

/// Values as JSON.
class JsonWriter {
 public:
  /// Of values whose Messages are phrases and errors, which need no strings.
  JsonWriter() = default;
  explicit JsonWriter(const Strings& english) : english_(&english) {}
  template <class T>
  [[nodiscard]] nlohmann::json operator()(const T& value) const {
    return write(value, value);
  }
  [[nodiscard]] const Strings& english() const {
    if (english_ == nullptr) throw std::logic_error("a Message in JSON without its strings");
    return *english_;
  }

 private:
  template <class T, class Whole>
  [[nodiscard]] nlohmann::json write(const T& value, const Whole& whole) const {
    if constexpr (std::is_same_v<T, bool> || std::is_integral_v<T>) {
      return value;
    } else if constexpr (std::is_floating_point_v<T>) {
      return json_number(value);
    } else if constexpr (std::is_enum_v<T>) {
      return device::name_of(value);
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
      return json_text(value);
    } else if constexpr (std::is_same_v<T, Message>) {
      return json_text(english_ ? (*english_)(value) : value.english());
    } else if constexpr (std::is_same_v<T, device::Error>) {
      return to_json(value);
    } else if constexpr (std::is_same_v<T, device::Dim3>) {
      return nlohmann::json::array({value.x, value.y, value.z});
    } else if constexpr (device::kIsOf<T, std::optional>) {
      return value ? write(*value, whole) : nlohmann::json(nullptr);
    } else if constexpr (device::kIsOf<T, std::variant>) {
      return std::visit([&](const auto& held) { return write(held, whole); }, value);
    } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
      return nullptr;  // extras() of the struct says what they are
    } else if constexpr (device::kIsOf<T, std::vector>) {
      nlohmann::json list = nlohmann::json::array();
      for (const auto& element : value) list.push_back(write(element, whole));
      return list;
    } else if constexpr (device::kIsOf<T, std::map>) {
      nlohmann::json object = nlohmann::json::object();
      for (const auto& [name, entry] : value)
        object[json_text(name).template get<std::string>()] = write(entry, whole);
      return object;
    } else if constexpr (HasKind<T>) {
      return write_struct(value, value);
    } else {
      return write_struct(value, whole);
    }
  }
  template <class T, class Whole>
  [[nodiscard]] nlohmann::json write_struct(const T& value, const Whole& whole) const;

  const Strings* english_ = nullptr;
};

/// The schema of values, as JsonWriter writes them.
class JsonSchema {
 public:
  /// A reference to the type's definition; the schema itself of what has no name.
  template <class T>
  nlohmann::ordered_json of() {
    return schema<T, T>();
  }
  /// What of() referred to so far, by name.
  [[nodiscard]] const nlohmann::ordered_json& definitions() const { return definitions_; }

 private:
  friend class JsonExtras;
  static nlohmann::ordered_json of_type(const char* type);
  static nlohmann::ordered_json list_of(nlohmann::ordered_json items);
  static nlohmann::ordered_json map_of(nlohmann::ordered_json entries);
  /// Of an object that has all of these properties and no other.
  static nlohmann::ordered_json object_of(nlohmann::ordered_json properties);
  static nlohmann::ordered_json either(nlohmann::ordered_json one, nlohmann::ordered_json other);
  /// False where the name is defined, or its definition has begun: a type may refer to itself.
  bool begin_definition(const std::string& name);
  void define(const std::string& name, nlohmann::ordered_json schema);
  nlohmann::ordered_json number();
  nlohmann::ordered_json count();
  nlohmann::ordered_json error();
  nlohmann::ordered_json extent();
  nlohmann::ordered_json reference(std::string_view name) const;
  template <class T, class Whole>
  nlohmann::ordered_json schema();
  template <class T, class Whole>
  nlohmann::ordered_json object();
  template <class... T>
  nlohmann::ordered_json any_of(const std::variant<T...>* /*type*/);

  nlohmann::ordered_json definitions_ = nlohmann::ordered_json::object();
};

/// Where extras() says its entries: by a function that makes the value, and may take the English strings. The same function
/// writes an entry and, through its result's type, describes it.
class JsonExtras {
 public:
  JsonExtras(const JsonWriter& writer, nlohmann::json& object)
      : writer_(&writer), object_(&object) {}
  JsonExtras(JsonSchema& schema, nlohmann::ordered_json& properties)
      : schema_(&schema), properties_(&properties) {}

  template <class Make>
  void operator()(const std::string& name, const Make& make) {
    constexpr bool kTakesStrings = std::invocable<const Make&, const Strings&>;
    if (schema_ != nullptr) {
      if constexpr (kTakesStrings)
        add(name,
            schema_->of<std::remove_cvref_t<std::invoke_result_t<const Make&, const Strings&>>>());
      else
        add(name, schema_->of<std::remove_cvref_t<std::invoke_result_t<const Make&>>>());
    } else if constexpr (kTakesStrings) {
      (*object_)[name] = (*writer_)(make(writer_->english()));
    } else {
      (*object_)[name] = (*writer_)(make());
    }
  }
  /// A field that JSON does without.
  void leave_out(std::string name) { left_out_.push_back(std::move(name)); }
  /// Whether a field of that name is still to be written.
  [[nodiscard]] bool wants(const std::string& name) const;

 private:
  void add(const std::string& name, nlohmann::ordered_json schema);

  const JsonWriter* writer_ = nullptr;
  nlohmann::json* object_ = nullptr;
  JsonSchema* schema_ = nullptr;
  nlohmann::ordered_json* properties_ = nullptr;
  std::vector<std::string> left_out_;
};

/// How a schema calls a type to which more than one place refers; empty: it is described where it is.
template <class T>
constexpr std::string_view schema_name() {
  if constexpr (HasKind<T>)
    return T::kKind;
  else if constexpr (requires { T::kSchemaName; })
    return T::kSchemaName;
  else if constexpr (std::is_same_v<T, device::LaunchRecord>)
    return "record";
  else if constexpr (std::is_same_v<T, device::SourcePlace>)
    return "place";
  else if constexpr (std::is_same_v<T, device::Evidence>)
    return "evidence";
  else if constexpr (std::is_same_v<T, device::Counters>)
    return "counters";
  else if constexpr (std::is_same_v<T, device::Sass>)
    return "sass";
  else
    return {};
}

template <class T, class Whole>
nlohmann::json JsonWriter::write_struct(const T& value, const Whole& whole) const {
  nlohmann::json object = nlohmann::json::object();
  JsonExtras computed(*this, object);
  say_extras(computed, value, whole);
  fields(
      [&](const std::string& name, const auto& field) {
        if (computed.wants(name)) object[name] = write(field, whole);
      },
      value);
  return object;
}

template <class T, class Whole>
nlohmann::ordered_json JsonSchema::schema() {
  if constexpr (std::is_same_v<T, bool>) {
    return of_type("boolean");
  } else if constexpr (std::is_floating_point_v<T>) {
    return number();
  } else if constexpr (std::is_unsigned_v<T>) {
    return count();
  } else if constexpr (std::is_integral_v<T>) {
    return of_type("integer");
  } else if constexpr (std::is_enum_v<T>) {
    return {{"enum", device::kEnumNames<T>}};
  } else if constexpr (std::is_convertible_v<T, std::string_view> || std::is_same_v<T, Message>) {
    return of_type("string");
  } else if constexpr (std::is_same_v<T, device::Error>) {
    return error();
  } else if constexpr (std::is_same_v<T, device::Dim3>) {
    return extent();
  } else if constexpr (device::kIsOf<T, std::optional>) {
    return either(schema<typename T::value_type, Whole>(), of_type("null"));
  } else if constexpr (device::kIsOf<T, std::variant>) {
    return any_of(static_cast<const T*>(nullptr));
  } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
    return of_type("null");
  } else if constexpr (device::kIsOf<T, std::vector>) {
    return list_of(schema<typename T::value_type, Whole>());
  } else if constexpr (device::kIsOf<T, std::map>) {
    return map_of(schema<typename T::mapped_type, Whole>());
  } else if constexpr (schema_name<T>().empty()) {
    return object<T, Whole>();
  } else {
    const std::string name(schema_name<T>());
    if (begin_definition(name)) define(name, object<T, std::conditional_t<HasKind<T>, T, Whole>>());
    return reference(name);
  }
}

template <class T, class Whole>
nlohmann::ordered_json JsonSchema::object() {
  nlohmann::ordered_json properties = nlohmann::ordered_json::object();
  JsonExtras computed(*this, properties);
  const T value{};
  const Whole whole{};
  say_extras(computed, value, whole);
  fields(
      [&]<class Field>(const std::string& name, const Field&) {
        if (computed.wants(name)) properties[name] = schema<Field, Whole>();
      },
      value);
  return object_of(std::move(properties));
}

template <class... T>
nlohmann::ordered_json JsonSchema::any_of(const std::variant<T...>* /*type*/) {
  nlohmann::ordered_json kinds = nlohmann::ordered_json::array();
  const auto add = [&](const nlohmann::ordered_json& kind) {
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  };
  (add(schema<T, T>()), ...);
  return {{"anyOf", std::move(kinds)}};
}

}  // namespace warpbook::lab
