#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "device/kernel_name.hpp"

namespace warpbook::tests::kernel_name_test {

using namespace warpbook::device;

TEST_CASE("A mangled name tells the source's name and the parameters' types") {
  struct Case {
    const char* mangled;
    const char* name;
    std::vector<std::string> parameters;
  };
  const auto c =
      GENERATE(Case{"_Z3addPKfS0_Pfi", "add", {"float const*", "float const*", "float*", "int"}},
               Case{"_Z5emptyv", "empty", {}},
               Case{"_Z5scaleIfEvPT_S0_i", "scale<float>", {"float*", "float", "int"}},
               Case{"_ZN2ns5scaleIfEEvPT_6float46__half1PRKi",
                    "ns::scale<float>",
                    {"float*", "float4", "__half", "P", "int const&"}},
               Case{"_ZN33_GLOBAL__N__00000000_4_a_cu_plain4anonEPf", "anon", {"float*"}},
               Case{"_ZN12_GLOBAL__N_14anonEPf", "anon", {"float*"}},
               Case{"_Z5applyPFffEPf", "apply", {"float (*)(float)", "float*"}},
               Case{"_Z4tileILi16ELb1EEvPA4_Kf", "tile<16, true>", {"float const (*) [4]"}});
  CAPTURE(c.mangled);
  const KernelName said = kernel_name_of(c.mangled);
  CHECK(said.name == c.name);
  CHECK(said.typed);
  // "f(void)" is a list of no parameters.
  CHECK(said.parameters == c.parameters);
}

TEST_CASE("An extern C name stands for itself and says nothing of its parameters") {
  const auto* name = GENERATE("saxpy", "add", "_Zulu", "_", "", "_Z", "_Z3ad");
  CAPTURE(name);
  const KernelName said = kernel_name_of(name);
  CHECK(said.name == name);
  CHECK(!said.typed);
  CHECK(said.parameters.empty());
}

TEST_CASE("The prefix that keeps statics of files apart comes off a name") {
  CHECK(without_prefix_of_statics("__nv_static_26__8c909d32_5_m1_cu_e0f598cf_counter") ==
        "counter");
  CHECK(kernel_name_of("__nv_static_26__8c909d32_5_m1_cu_e0f598cf__Z4privPi").name == "priv");
  CHECK(kernel_name_of("__nv_static_26__8c909d32_5_m1_cu_e0f598cf__Z4privPi").parameters ==
        std::vector<std::string>{"int*"});
  const auto* other = GENERATE("counter", "__nv_static_", "__nv_static_9__short", "__nv_static_x_y",
                               "__nv_static_99999999999999999999_x_y", "__nv_static_3__ab_");
  CAPTURE(other);
  CHECK(without_prefix_of_statics(other) == other);
}

TEST_CASE("Template arguments and scopes come off a name") {
  CHECK(without_template_arguments("ns::scale<float>") == "ns::scale");
  CHECK(without_template_arguments("ns<int>::scale") == "ns<int>::scale");
  CHECK(without_template_arguments("f<g<int>, (h)3>") == "f");
  CHECK(without_template_arguments("plain") == "plain");
  CHECK(without_scopes("a::b<c::d>::e<f::g>") == "e<f::g>");
  CHECK(without_scopes("plain") == "plain");
  CHECK(without_parameters("a::f<int>(int*, void (*)(int))") == "a::f<int>");
  CHECK(without_parameters("f()") == "f");
  CHECK(without_parameters("plain") == "plain");
}

}  // namespace warpbook::tests::kernel_name_test
