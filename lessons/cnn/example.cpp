// One filter of 2 x 2 on one image of 4 x 4: forward, and back to the pixels and to the weights.
#include <array>
#include <functional>

#include "lab/text/source_text.hpp"
#include "lessons/cnn/runs.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::cnn {
namespace {

constexpr std::int64_t kSide = 4, kTaps = 2, kOut = kSide - kTaps + 1, kBlock = 32;

using Values = std::vector<float>;

/// Whole numbers, so that every order of adding gives the same sum.
const Values kImage{1, 2, 0, 1,  //
                    0, 5, 3, 2,  //
                    2, 0, 1, 0,  //
                    1, 1, 0, 2};
const Values kFilter{1, 2,  //
                     3, 4};
const Values kGradient{1, 0, 0,  //
                       0, 2, 0,  //
                       0, 0, 0};

/// Calls term(output, pixel, weight) for each product of the convolution.
void each_product(const std::function<void(std::size_t, std::size_t, std::size_t)>& term) {
  for (std::int64_t i = 0; i < kOut; ++i) {
    for (std::int64_t j = 0; j < kOut; ++j) {
      for (std::int64_t tap = 0; tap < kTaps * kTaps; ++tap) {
        const std::int64_t row = i + tap / kTaps, column = j + tap % kTaps;
        term(static_cast<std::size_t>(i * kOut + j), static_cast<std::size_t>(row * kSide + column),
             static_cast<std::size_t>(tap));
      }
    }
  }
}

/// What the kernels should give, by plain loops.
struct Truth {
  Values y = Values(kGradient.size()), dx = Values(kImage.size()), dw = Values(kFilter.size());
  Truth() {
    each_product([&](std::size_t output, std::size_t pixel, std::size_t weight) {
      y[output] += kImage[pixel] * kFilter[weight];
      dx[pixel] += kGradient[output] * kFilter[weight];
      dw[weight] += kGradient[output] * kImage[pixel];
    });
  }
};

/// The arrays on the device, and a launch of a kernel of the chapter on them.
class Example {
 public:
  explicit Example(lab::Lab& lab)
      : lab_(lab),
        x_(lab.upload<float>("x", kImage)),
        w_(lab.upload<float>("w", kFilter)),
        dy_(lab.upload<float>("dy", kGradient)) {}

  struct Ran {
    std::shared_ptr<const device::LaunchRecord> record;
    Values result;
  };
  Ran forward() { return run("forward", {&x_, &w_}, "y", kOut * kOut, {1, kSide, kTaps, kOut}); }
  Ran backward_data() {
    return run("backward_data", {&dy_, &w_}, "dx", kSide * kSide, {1, kSide, kTaps, kOut});
  }
  Ran backward_filter() {
    return run("backward_filter", {&x_, &dy_}, "dw", kTaps * kTaps, {1, kSide, kTaps, kOut});
  }
  /// dy, stamped onto a larger picture.
  Values stamped() {
    const std::string file = "lessons/cnn/variants/stamped.cu";
    const auto module = lab_.compile_source(
        "stamped.cu", lab::require(lab::read_source_file(lab_.context().root, file)));
    return launch(module, {&dy_, &w_}, "large", kSide * kSide, {kSide, kTaps, kOut}).result;
  }

 private:
  Ran run(const char* slot, const std::vector<const device::Buffer*>& inputs, const char* output,
          std::int64_t results, const std::vector<std::int64_t>& numbers) {
    return launch(lab_.compile(slot), inputs, output, results, numbers);
  }
  Ran launch(std::shared_ptr<const device::Module> module,
             const std::vector<const device::Buffer*>& inputs, const char* output,
             std::int64_t results, const std::vector<std::int64_t>& numbers) {
    const device::Buffer to =
        lab_.allocate(output, device::ElementType::f32, static_cast<std::uint64_t>(results));
    lab_.fill(to, std::byte{0});  // who scatters needs zeros to add to
    std::vector<device::Argument> arguments;
    for (const device::Buffer* input : inputs) arguments.push_back(pointer_argument(*input));
    arguments.push_back(pointer_argument(to));
    for (const std::int64_t number : numbers) arguments.push_back(number_argument(number));
    auto record =
        lab_.launch(launch_of(std::move(module), {}, kBlock, kBlock, std::move(arguments)));
    auto result = lab_.download<float>(to);
    return {std::move(record), std::move(result)};
  }

  lab::Lab& lab_;
  device::Buffer x_, w_, dy_;
};

void show_tensor(lab::Lab& lab, const std::string& name, const Values& values, std::int64_t side,
                 const device::Evidence& evidence) {
  const auto edge = static_cast<std::uint64_t>(side);
  lab.show({"example-" + name,
            {"cnn.example." + name},
            evidence,
            tensor_of(name, values, {edge, edge})});
}

/// One item for each kernel: right, and nothing found.
lab::CheckExhibit::Item checked(const std::string& name, const Example::Ran& ran,
                                const Values& truth) {
  const auto text = [](float value) { return lab::number(static_cast<double>(value)); };
  const lab::CheckExhibit check =
      check_of("cnn.check.", *ran.record, ran.result, truth, std::equal_to{}, text);
  lab::CheckExhibit::Item item = check.items.front();
  item.id = name;
  item.sentence = {"cnn.check." + name};
  if (check.items.back().state == lab::CheckState::failed) {
    item.state = lab::CheckState::failed;
    item.got = check.items.back().got;
    item.advice = check.items.back().advice;
  }
  return item;
}

/// Which of the three results the stamped picture is.
std::string equal_to(const Values& stamped, const Truth& truth) {
  if (stamped == truth.dx) return "data";
  if (stamped == truth.dw) return "weights";
  return stamped == truth.y ? "forward" : "neither";
}

}  // namespace

lab::Message example(lab::Lab& lab, const device::Evidence& counted) {
  const Truth truth;
  Example run(lab);
  const Example::Ran forward = run.forward(), data = run.backward_data(),
                     weights = run.backward_filter();
  lab::Message calls = host_calls(lab.device());
  show_tensor(lab, "x", kImage, kSide, counted);
  show_tensor(lab, "w", kFilter, kTaps, counted);
  show_tensor(lab, "y", forward.result, kOut, counted);
  show_tensor(lab, "dy", kGradient, kOut, counted);
  show_tensor(lab, "dx", data.result, kSide, counted);
  show_tensor(lab, "dw", weights.result, kTaps, counted);
  lab::CheckExhibit check;
  check.items = {checked("forward", forward, truth.y), checked("data", data, truth.dx),
                 checked("weights", weights, truth.dw)};
  lab.show({"check", {"cnn.check.title"}, counted, std::move(check)});

  const Values stamped = run.stamped();
  const std::string equal = equal_to(stamped, truth);
  show_tensor(lab, "stamped", stamped, kSide, counted);
  lab.show({"stamped-is",
            {"cnn.stamped.title"},
            counted,
            lab::TextExhibit{{"cnn.stamped." + equal, {{"equal", equal}}}}});
  return calls;
}

}  // namespace warpbook::lessons::cnn
