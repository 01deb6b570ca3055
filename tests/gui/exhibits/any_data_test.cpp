// Every kind of exhibit draws whatever data it is given: none, one of each, very much, and what nobody would have meant.
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "lab/report/binary.hpp"
#include "tests/gui/shown.hpp"
#include "tests/lab/report/sample_report.hpp"

namespace warpbook::gui::any_data_test {
namespace {

template <std::size_t Kind = 0>
void show_empty(Stage& stage) {
  if constexpr (Kind < std::variant_size_v<lab::ExhibitKinds>) {
    using Value = std::variant_alternative_t<Kind, lab::ExhibitKinds>;
    CAPTURE(Value::kKind);
    show(stage, lab::sample::exhibit(Value{}));
    CHECK(Stage::vertices() > 0);
    show_empty<Kind + 1>(stage);
  }
}

lab::Report only(const lab::Exhibit& exhibit) {
  lab::Report report;
  report.exhibits = {exhibit};
  return report;
}

/// The report with its checksum put right, so that what is read is what was changed.
std::string sealed(std::string bytes) {
  const std::string_view body = std::string_view(bytes).substr(lab::kChecksumBytes);
  const std::uint64_t sum = lab::checksum(std::as_bytes(std::span(body)));
  std::memcpy(bytes.data(), &sum, sizeof sum);
  return bytes;
}

/// As many variants of an exhibit as are asked for, each with a few bytes changed; those that are still a report.
std::vector<lab::Exhibit> broken(const lab::Exhibit& exhibit, std::size_t variants,
                                 std::mt19937& random) {
  const std::string good = lab::to_binary(only(exhibit));
  static constexpr std::array<unsigned char, 6> kBytes{0, 1, 0x7f, 0x80, 0xf0, 0xff};
  std::vector<lab::Exhibit> made;
  for (std::size_t i = 0; i < variants; ++i) {
    std::string bytes = good;
    for (std::size_t change = 0; change < 1 + random() % 3; ++change)
      bytes[lab::kChecksumBytes + random() % (bytes.size() - lab::kChecksumBytes)] =
          static_cast<char>(kBytes[random() % kBytes.size()]);
    const auto read = lab::report_from_binary(sealed(std::move(bytes)));
    if (read && read->exhibits.size() == 1) made.push_back(read->exhibits[0]);
  }
  return made;
}

std::vector<float> million(float (*of)(std::size_t)) {
  std::vector<float> values(1'000'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = of(i);
  return values;
}
}  // namespace

TEST_CASE("every kind of exhibit is drawn without any data") {
  Stage stage;
  show_empty(stage);
}

TEST_CASE("every kind of exhibit is drawn with one of each member, in every theme", "[ci]") {
  Stage stage;
  for (const char* theme : {"dark", "light", "contrast"}) {
    stage.book().set_theme(theme);
    for (const lab::Exhibit& exhibit : lab::sample::full_report().exhibits) {
      CAPTURE(theme, exhibit.id);
      show(stage, exhibit);
      CHECK(Stage::vertices() > 0);
    }
  }
}

TEST_CASE("every kind of exhibit is drawn in a window that leaves it no room", "[ci]") {
  Stage stage;
  for (const float scale : {1.0f, 2.0f, 4.0f}) {
    stage.context().set_display(320, 240, scale);
    for (const lab::Exhibit& exhibit : lab::sample::full_report().exhibits) {
      CAPTURE(scale, exhibit.id);
      show(stage, exhibit);
      CHECK(Stage::vertices() > 0);
    }
  }
}

TEST_CASE(
    "arrays of a million elements, and of no number at all, are drawn as plot, heat and picture",
    "[ci]") {
  using View = lab::TensorExhibit::View;
  Stage stage;
  const auto wave = million([](std::size_t i) { return std::sin(static_cast<float>(i) / 1000); });
  const auto none = million([](std::size_t i) {
    return i % 2 == 0 ? std::numeric_limits<float>::quiet_NaN()
                      : std::numeric_limits<float>::infinity();
  });
  for (const auto* values : {&wave, &none}) {
    for (const View view : {View::automatic, View::table, View::plot, View::heat, View::image}) {
      lab::TensorExhibit tensor = lab::sample::tensor("x", *values, {1000, 1000});
      tensor.view = view;
      show(stage, lab::sample::exhibit(tensor));
      CHECK(Stage::vertices() > 0);
    }
  }
  const auto wires = lab::sample::guarded(20'000, 157, 128);
  show(stage, lab::sample::exhibit(wires));
  CHECK(Stage::vertices() > 0);
}

TEST_CASE(
    "exhibits with members that nobody would have meant are drawn, or refused when they are read",
    "[ci]") {
  Stage stage;
  std::mt19937 random(1);
  std::size_t drawn = 0;
  for (const lab::Exhibit& exhibit : lab::sample::full_report().exhibits) {
    for (const lab::Exhibit& one : broken(exhibit, 6, random)) {
      CAPTURE(exhibit.id);
      show(stage, one);
      ++drawn;
    }
  }
  CHECK(drawn > 20);
}

TEST_CASE("thousands of broken exhibits are drawn, or refused when they are read", "[long]") {
  Stage stage;
  std::mt19937 random(2);
  for (const lab::Exhibit& exhibit : lab::sample::full_report().exhibits) {
    CAPTURE(exhibit.id);
    for (const lab::Exhibit& one : broken(exhibit, 300, random)) show(stage, one);
  }
}

}  // namespace warpbook::gui::any_data_test
