// The chapter Convolution without a window: every parameter against plain loops, the preset exactly, wrong kernels that look
// wrong, pictures, and the questions' answers.
#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <set>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/platform.hpp"
#include "lab/exhibits/sliding_window/sliding_window_summary.hpp"
#include "lab/experiment/lesson.hpp"
#include "lessons/catalogue.hpp"
#include "lessons/common.hpp"
#include "tests/lessons/chapter.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::convolution_test {
namespace {

using tests::chapter::answer;
using tests::chapter::exhibit;
using tests::chapter::figure;
using tests::chapter::Values;
using tests::chapter::values_of;
using Int = std::int64_t;

const lab::Lesson& lesson() { return *lessons::find("convolution"); }

lab::Report run(const Values& values, const std::string& source = {}, std::stop_token stop = {},
                const std::function<void(double, const lab::Message&)>& progress = {}) {
  return tests::chapter::run("convolution", values,
                             {"convolve", source, "h200", std::move(stop), progress});
}

std::string variant(const std::string& name) {
  return tests::chapter::variant("convolution", name);
}
/// The page's kernel with one piece of its text changed.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = variant("convolve");
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const lab::SlidingWindowExhibit& window(const lab::Report& report) {
  const auto& found = exhibit<lab::SlidingWindowExhibit>(report, "window");
  REQUIRE_FALSE(found.outputs.empty());
  return found;
}
const lab::TensorExhibit& tensor(const lab::Report& report, std::string_view id) {
  return exhibit<lab::TensorExhibit>(report, id);
}

void check_clean(const lab::Report& report) {
  CHECK(report.errors.empty());
  CHECK(exhibit<lab::CheckExhibit>(report, "check").passed());
  CHECK(tensor(report, "after").wrong.empty());
}

struct Case {
  Int side, K, stride, pad, dilation, channels, filters;
  bool last = false;
  [[nodiscard]] Int out() const {
    const Int room = side + 2 * pad - dilation * (K - 1) - 1;
    return room < 0 ? 0 : room / stride + 1;
  }
  [[nodiscard]] Values values() const {
    return {{"side", side},         {"K", K},
            {"stride", stride},     {"pad", pad},
            {"dilation", dilation}, {"channels", channels},
            {"filters", filters},   {"layout", std::string(last ? "nhwc" : "nchw")},
            {"output", Int{0}}};
  }
};

/// One output by the definition, in double, over what the report shows of x and the weights.
double by_definition(const Case& c, const lab::SlidingWindowExhibit& w, Int filter, Int p, Int q) {
  double sum = static_cast<double>(filter % 3 - 1);  // the bias
  for (Int channel = 0; channel < c.channels; ++channel) {
    for (Int r = 0; r < c.K; ++r) {
      for (Int s = 0; s < c.K; ++s) {
        const Int row = p * c.stride - c.pad + r * c.dilation,
                  column = q * c.stride - c.pad + s * c.dilation;
        if (row < 0 || column < 0 || row >= c.side || column >= c.side) continue;
        const Int x = c.last ? (row * c.side + column) * c.channels + channel
                             : (channel * c.side + row) * c.side + column;
        const Int weight = c.last ? ((filter * c.K + r) * c.K + s) * c.channels + channel
                                  : ((filter * c.channels + channel) * c.K + r) * c.K + s;
        sum += lab::element(w.input, static_cast<std::uint64_t>(x)) *
               lab::element(w.weights, static_cast<std::uint64_t>(weight));
      }
    }
  }
  return sum;
}

}  // namespace

TEST_CASE(
    "Convolution: every filter, stride, padding, dilation and layout gives what the definition "
    "gives") {
  const Case c = GENERATE(
      Case{12, 3, 1, 1, 1, 3, 8}, Case{12, 3, 1, 1, 1, 3, 8, true}, Case{9, 3, 2, 1, 1, 2, 3},
      Case{9, 3, 2, 1, 1, 2, 3, true}, Case{11, 5, 1, 2, 1, 1, 2}, Case{13, 3, 1, 2, 2, 4, 1},
      Case{13, 3, 3, 0, 3, 4, 5, true}, Case{7, 7, 1, 0, 1, 2, 2}, Case{1, 1, 1, 0, 1, 1, 1},
      Case{2, 7, 1, 4, 1, 1, 1}, Case{8, 2, 4, 4, 1, 3, 2, true}, Case{31, 1, 1, 0, 1, 5, 2});
  CAPTURE(c.side, c.K, c.stride, c.pad, c.dilation, c.channels, c.filters, c.last);
  const lab::Report report = run(c.values());
  check_clean(report);
  const lab::TensorExhibit& y = tensor(report, "y");
  const Int out = c.out();
  REQUIRE(lab::count(y) == static_cast<std::uint64_t>(out * out * c.filters));
  CHECK(y.wrong.empty());
  std::uint64_t right = 0;
  for (Int filter = 0; filter < c.filters; ++filter) {
    for (Int p = 0; p < out; ++p) {
      for (Int q = 0; q < out; ++q) {
        const Int at = c.last ? (p * out + q) * c.filters + filter : (filter * out + p) * out + q;
        right += lab::element(y, static_cast<std::uint64_t>(at)) ==
                         by_definition(c, window(report), filter, p, q)
                     ? 1
                     : 0;
      }
    }
  }
  CHECK(right == lab::count(y));
  CHECK(answer(report, "out") == std::to_string(out));

  // Every window that was seen was read as it should be: each input once, with its weight.
  const auto sizes = lab::sizes_of(window(report));
  REQUIRE(sizes);
  std::uint64_t sound = 0;
  for (const auto& output : window(report).outputs) {
    const lab::SlidingWindowRead read = lab::read_of(window(report), *sizes, output);
    const bool empty = read.padding == read.taps.size();  // all of it in the padding
    sound +=
        read.missing == 0 && read.repeated == 0 && read.astray.empty() &&
                (empty || read.pairing == lab::SlidingWindowRead::Pairing::as_it_stands || c.K == 1)
            ? 1
            : 0;
  }
  CHECK(sound == window(report).outputs.size());
}

TEST_CASE("Convolution: where the filter does not fit there is no output, and the page says so") {
  const lab::Report report = run(Case{4, 7, 1, 1, 1, 1, 1}.values());
  CHECK(report.errors.empty());
  CHECK(answer(report, "out") == "0");
  CHECK(report.find("window") == nullptr);
  CHECK(answer(report, "read").empty());
  CHECK(figure(report, "shape").empty());
}

TEST_CASE(
    "Convolution: the preset is 1x3x224x224 to 1x64x224x224 with 1,792 parameters, all right") {
  const auto preset = std::ranges::find(lesson().presets, "conv2d-64", &lab::Preset::name);
  REQUIRE(preset != lesson().presets.end());
  std::set<int> tenths;
  const lab::Report report =
      run(values_of(*preset), {}, {}, [&](double fraction, const lab::Message&) {
        static std::mutex mutex;  // called by the launch's workers
        const std::lock_guard guard(mutex);
        tenths.insert(static_cast<int>(fraction * 10));
      });
  CHECK(report.errors.empty());
  CHECK(figure(report, "parameters") == "1,792");
  CHECK(figure(report, "shape") == "64 × 224 × 224");
  CHECK(figure(report, "right") == "3,211,264");
  CHECK(figure(report, "input-bytes") == "602,112");
  CHECK(figure(report, "lowered-bytes") == "5,419,008");
  CHECK(figure(report, "products") == "86,704,128");
  CHECK(tensor(report, "y").wrong.empty());
  CHECK(window(report).input.shape == std::vector<std::uint64_t>{3, 224, 224});
  CHECK(window(report).cut);
  CHECK(tenths.size() > 3);
  const lab::SlidingWindowExhibit& seen = window(report);
  const Case c{224, 3, 1, 1, 1, 3, 64};
  std::uint64_t right = 0;
  for (const auto& output : seen.outputs) {
    const auto at = static_cast<Int>(output.element);
    right += output.value == by_definition(c, seen, at / 50176, at / 224 % 224, at % 224) ? 1 : 0;
  }
  CHECK(right == seen.outputs.size());
}

TEST_CASE("Convolution: the whole layer can be cancelled") {
  std::stop_source stop;
  const lab::Report report = run({{"side", Int{224}}, {"filters", Int{64}}}, {}, stop.get_token(),
                                 [&](double, const lab::Message&) { stop.request_stop(); });
  REQUIRE_FALSE(report.errors.empty());
  CHECK(report.errors.front().code == device::ErrorCode::cancelled);
}

TEST_CASE("Convolution: presets run clean") {
  for (const lab::Preset& preset : lesson().presets) {
    if (preset.name == "conv2d-64") continue;  // has a test of its own
    CAPTURE(preset.name);
    Values values;
    for (const auto& [name, value] : values_of(preset)) values.emplace_back(name, value);
    check_clean(run(values));
  }
}

TEST_CASE("Convolution: the questions have the answers that plain counting gives") {
  CHECK(answer(run({{"pad", Int{0}}}), "out") == "6");
  CHECK(answer(run({{"stride", Int{2}}, {"pad", Int{2}}, {"dilation", Int{2}}}), "out") == "4");
  const lab::Report corner = run({{"output", Int{0}}, {"channels", Int{3}}});
  CHECK(answer(corner, "read") == "12");
  CHECK(figure(corner, "padding") == "15");
  CHECK(answer(corner, "pairing") == "as-it-stands");
  const lab::Report unrolled = run({});
  CHECK(answer(unrolled, "times") == "9");
  CHECK(figure(unrolled, "rows") == "9");
  CHECK(figure(unrolled, "windows") == "64");
  const lab::Report thinned = run({{"stride", Int{2}}});
  CHECK(answer(thinned, "times") == "2.25");  // 9 x 16 / 64
  CHECK(figure(thinned, "windows") == "16");
  const lab::Report layer = run({{"filters", Int{64}}, {"channels", Int{3}}});
  CHECK(answer(layer, "parameters") == "1,792");
  CHECK(figure(layer, "products") == "110,592");  // 64 x 64 x 27
  CHECK(answer(run({{"layout", std::string("nhwc")}, {"channels", Int{8}}}), "x-sectors") == "32");
  CHECK(answer(run({{"layout", std::string("nhwc")}, {"channels", Int{4}}}), "x-sectors") == "16");
  CHECK(answer(run({{"channels", Int{4}}}), "x-sectors") == "4");
  const lab::Report edge =
      run({{"classic", std::string("edge")}, {"motif", std::string("shapes")}});
  CHECK(answer(edge, "flat") == "0");
  CHECK(answer(edge, "corner") == "480");
}

TEST_CASE("Convolution: a classic filter gives what nine multiplications give") {
  const std::string name = GENERATE("blur", "edge", "sharpen", "emboss");
  CAPTURE(name);
  const lab::Report report = run({{"classic", name}, {"motif", std::string("shapes")}});
  const lab::TensorExhibit &before = tensor(report, "before"), &after = tensor(report, "after");
  const auto pixel = [&](Int row, Int column) {
    return lab::element(before, static_cast<std::uint64_t>(row * 24 + column));
  };
  const auto sum = [&](Int row, Int column) {
    const auto cross = pixel(row - 1, column) + pixel(row + 1, column) + pixel(row, column - 1) +
                       pixel(row, column + 1);
    const auto corners = pixel(row - 1, column - 1) + pixel(row - 1, column + 1) +
                         pixel(row + 1, column - 1) + pixel(row + 1, column + 1);
    const double middle = pixel(row, column);
    if (name == "blur") return (4 * middle + 2 * cross + corners) / 16;
    if (name == "edge") return 8 * middle - cross - corners;
    if (name == "sharpen") return 5 * middle - cross;
    return middle - 2 * pixel(row - 1, column - 1) - pixel(row - 1, column) -
           pixel(row, column - 1) + pixel(row, column + 1) + pixel(row + 1, column) +
           2 * pixel(row + 1, column + 1);
  };
  std::uint64_t right = 0;
  for (Int row = 1; row < 23; ++row) {
    for (Int column = 1; column < 23; ++column) {
      right +=
          lab::element(after, static_cast<std::uint64_t>(row * 24 + column)) == sum(row, column)
              ? 1
              : 0;
    }
  }
  CHECK(right == 22 * 22);
}

TEST_CASE(
    "Convolution: a kernel that turns its filter shows every input with the opposite weight") {
  const lab::Report report = run({}, variant("flipped"));
  CHECK(answer(report, "pairing") == "flipped");
  CHECK_FALSE(tensor(report, "y").wrong.empty());
  CHECK_FALSE(report.find_as<lab::CheckExhibit>("check")->passed());
}

TEST_CASE(
    "Convolution: a kernel whose window is shifted shows reads outside it and inputs not read") {
  const lab::Report report =
      run({{"channels", Int{3}}}, changed("u * dilation;", "u * dilation + 1;"));
  const auto sizes = lab::sizes_of(window(report));
  const lab::SlidingWindowRead read =
      lab::read_of(window(report), *sizes, window(report).outputs[window(report).chosen]);
  CHECK(read.missing == 9);
  CHECK(read.astray.size() == 9);
  CHECK(read.pairing == lab::SlidingWindowRead::Pairing::other);
  CHECK(window(report).outputs[window(report).chosen].wrong);
}

TEST_CASE("Convolution: the photograph that the book brings along is filtered, every pixel right") {
  const lab::Report report = run({{"classic", std::string("sharpen")}});
  CHECK(report.errors.empty());
  const lab::TensorExhibit &before = tensor(report, "before"), &after = tensor(report, "after");
  CHECK(before.shape == std::vector<std::uint64_t>{144, 144});
  CHECK(after.shape == before.shape);
  CHECK(after.wrong.empty());
  // It has what filters are tried on: dark and bright places, and few that are alike.
  std::set<double> greys;
  for (std::uint64_t i = 0; i < lab::count(before); ++i) greys.insert(lab::element(before, i));
  CHECK(greys.size() > 100);
}

TEST_CASE("Convolution: the photograph is what its script draws", "[long]") {
  const tests::TemporaryFolder folder;
  const std::string root = WARPBOOK_SOURCE_DIR, name = "lessons/convolution/photograph.png",
                    drawn = (folder.path() / "drawn.png").string();
  REQUIRE(std::system((root + "/lessons/convolution/draw-photograph " + drawn).c_str()) == 0);
  const auto now = device::read_file(drawn), kept = device::read_file(root + "/" + name);
  REQUIRE(now);
  REQUIRE(kept);
  CHECK(*now == *kept);
}

TEST_CASE("Convolution: a picture of the reader's own is filtered, its middle in grey") {
  const tests::TemporaryFolder folder;
  const auto [width, height, step, side, key] = GENERATE(
      std::tuple{7, 4, 1, 4, "convolution.picture.own"},
      std::tuple{400, 120, 1, 120, "convolution.picture.own"},  // wide: its middle as it is
      std::tuple{300, 201, 2, 101, "convolution.picture.scaled"});
  // Red, green and blue alike: what is grey stays as it is. Bright to the right, in steps that scaling keeps.
  const auto grey = [step = step](int column) { return column / step * 2 % 256; };
  std::string png;
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < width * height; ++i)
    pixels.insert(pixels.end(), 3, static_cast<std::uint8_t>(grey(i % width)));
  stbi_write_png_to_func(
      [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data),
                                              static_cast<std::size_t>(size));
      },
      &png, width, height, 3, pixels.data(), width * 3);
  const lab::Report report = run({{"image", folder.write("own.png", png).string()}});
  check_clean(report);
  const lab::TensorExhibit& before = tensor(report, "before");
  const auto extent = static_cast<std::uint64_t>(side);
  REQUIRE(before.shape == std::vector<std::uint64_t>{extent, extent});
  CHECK(tensor(report, "after").shape == before.shape);
  const int left = ((width + step - 1) / step - side) / 2;
  for (const int column : {0, side - 1}) {
    CAPTURE(column);
    CHECK(lab::element(before, static_cast<std::uint64_t>(column)) == grey((left + column) * step));
  }
  CHECK(exhibit<lab::TextExhibit>(report, "picture").text.key == key);
}

TEST_CASE("Convolution: a picture that is gone is an error, and the page shows its own") {
  const lab::Report report = run({{"image", std::string("/no/such/picture.png")}});
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors[0].code == device::ErrorCode::file_unreadable);
  CHECK(report.errors[0].english().find("/no/such/picture.png") != std::string::npos);
  CHECK(tensor(report, "before") == tensor(run({}), "before"));
  CHECK(tensor(report, "after").wrong.empty());
  CHECK(exhibit<lab::TextExhibit>(report, "picture").text.key == "convolution.picture.photograph");
}

TEST_CASE("Convolution: a kernel that forgets a channel leaves its inputs unread") {
  const lab::Report report =
      run({{"channels", Int{3}}}, changed("channel < channels", "channel < channels - 1"));
  CHECK(answer(report, "read") == "18");
  const auto sizes = lab::sizes_of(window(report));
  CHECK(
      lab::read_of(window(report), *sizes, window(report).outputs[window(report).chosen]).missing ==
      9);
}

TEST_CASE(
    "Convolution: a kernel without its guard for rows reads the neighbouring rows of memory") {
  const lab::Report report = run({{"output", Int{3}}, {"channels", Int{3}}},
                                 changed("if (row < 0 || row >= side) continue;", ""));
  CHECK_FALSE(report.find_as<lab::CheckExhibit>("check")->passed());
  const auto sizes = lab::sizes_of(window(report));
  CHECK(lab::read_of(window(report), *sizes, window(report).outputs[window(report).chosen])
            .astray.size() == 9);  // three of each channel; of the first they lie before the array
}

TEST_CASE(
    "Convolution: with one channel a missing guard strays and is right by luck, with three it is "
    "wrong") {
  const std::string unguarded = changed("if (row < 0 || row >= side) continue;", "");
  const auto items = [](const lab::Report& report) {
    return exhibit<lab::CheckExhibit>(report, "check").items;
  };
  using State = lab::CheckExhibit::State;
  const auto one = items(run({{"channels", Int{1}}}, unguarded)),
             three = items(run({{"channels", Int{3}}}, unguarded));
  REQUIRE(one.size() == 2);
  CHECK(one[0].state == State::passed);  // every output has its value
  CHECK(one[1].state == State::failed);
  REQUIRE(three.size() == 2);
  CHECK(three[0].state == State::failed);
  CHECK(three[1].state == State::failed);
}

TEST_CASE("Convolution: an output is its products and its bias, which the page says") {
  const lab::Report report = run({});
  CHECK(figure(report, "sum") == "2");
  CHECK(figure(report, "bias") == "-1");
  CHECK(figure(report, "value") == "1");
}

TEST_CASE(
    "Convolution: three kernels do the same in two layouts and two orders of loops; one step "
    "changes "
    "the loops alone, the other the sectors") {
  const lab::Report report = run({});
  const auto said = [&](std::string_view name) {
    const auto& bars = exhibit<lab::BarsExhibit>(report, "layouts");
    const lab::Message* found = device::argument_of(bars.says.arguments, name);
    REQUIRE(found);
    return found->text;
  };
  const auto sectors = [&](std::size_t kernel) {
    return lessons::side_by_side_figure(report, "layouts", kernel, 0);
  };
  CHECK(said("right") == said("outputs"));
  CHECK(figure(report, "layout-sectors") == "7.83");  // (32 + 31 + 31) / (4 + 4 + 4)
  // 64 filters, 16 channels, 32 warps of a row each, but for 2 rows of padding, 9 weights, 4 sectors.
  CHECK(sectors(0) == "1,155,072");  // 64 * 16 * (96 - 2) * 3 * 4
  CHECK(sectors(1) == "1,155,072");
  CHECK(sectors(2) == "9,048,064");  // 64 * 16 * 94 * (32 + 31 + 31)
  // What the text gives as the reason of each time. Ranges lie apart where estimates differ by more than 1.9.
  CHECK(said("longest_convolve") == "latency");
  CHECK(said("longest_inside") == "latency");
  CHECK(said("longest_nhwc") == "l1");
  CHECK(std::stod(figure(report, "loops-time")) > 1.9);
  CHECK(std::stod(figure(report, "layout-time")) > 1.9);
  CHECK(std::stod(figure(report, "issue-time")) < 10);
  CHECK(std::stod(figure(report, "l1-time")) > 18);
}

TEST_CASE(
    "Convolution: the kernel with its channels inside is right, and slower where it is not "
    "unrolled") {
  const Values values{{"channels", Int{16}}, {"filters", Int{64}}, {"side", Int{32}}};
  const auto seconds = [&](const char* name) {
    const lab::Report report = run(values, variant(name));
    check_clean(report);
    const auto& rows = exhibit<lab::TimingsExhibit>(report, "time").rows;
    REQUIRE_FALSE(rows.empty());
    return rows[0].seconds;
  };
  CHECK(seconds("channels_rolled") > 1.9 * seconds("channels_inside"));
}

TEST_CASE("Convolution: depthwise reads one channel, and is another layer") {
  const lab::Report report = run({{"channels", Int{3}}}, variant("depthwise"));
  CHECK(answer(report, "read") == "9");
  CHECK(answer(run({{"channels", Int{3}}, {"output", Int{0}}}, variant("depthwise")), "read") ==
        "4");
  CHECK_FALSE(report.find_as<lab::CheckExhibit>("check")->passed());
}

TEST_CASE("Convolution: no kernel and one that stores nothing are said, never a crash") {
  CHECK_FALSE(run({}, "int nothing;").errors.empty());
  const lab::Report silent =
      run({}, changed("if (pixel >= out * out) return;", "if (pixel >= 0) return;"));
  const auto* none = silent.find_as<lab::SlidingWindowExhibit>("window");
  REQUIRE(none);
  CHECK(none->outputs.empty());
  CHECK(answer(silent, "read").empty());
  CHECK(answer(silent, "pairing").empty());
}

}  // namespace warpbook::convolution_test
