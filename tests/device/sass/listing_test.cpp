// What nvdisasm writes, in the words of its versions 12 and 13, and what it might write.
#include "device/sass/listing.hpp"

#include <random>
#include <string>

#include <catch2/catch_test_macros.hpp>

namespace warpbook::tests::listing_test {

using namespace warpbook::device;

namespace {

// As version 13.2 lays it out, which has tabs for some blanks: two functions, a label before and one behind the branch to it.
const std::string kListing = R"( .target sm_90

 .elftype @"ET_EXEC"


//--------------------- .text._Z5twicePKfPfi      --------------------------
 .section .text._Z5twicePKfPfi,"ax",@progbits
 .sectioninfo @"SHI_REGISTERS=12"
 .align 128
        .global         _Z5twicePKfPfi
        .type           _Z5twicePKfPfi,@function
        .size           _Z5twicePKfPfi,(.L_x_2 - _Z5twicePKfPfi)
        .other          _Z5twicePKfPfi,@"STO_CUDA_ENTRY STV_DEFAULT"
_Z5twicePKfPfi:
.text._Z5twicePKfPfi:
        /*0000*/                   LDC R1, c[0x0][0x28] ;                             /* 0x00000a00ff017b82 */
                                                                                      /* 0x000fe20000000800 */
        /*0010*/              @!P0 BRA `(.L_x_1) ;                                    /* 0x0000000c00188947 */
                                                                                      /* 0x000fea0003800000 */
.L_x_0:
        /*0020*/                   CALL.REL.NOINC `($twice$f) ;                       /* 0x0000000000107944 */
                                                                                      /* 0x000fea0003c00000 */
.L_x_1:
        /*0030*/                   BRA `(.L_x_0);                                     /* 0xfffffffc00fc7947 */
                                                                                      /* 0x000fc0000383ffff */
.L_x_2:


//--------------------- .text.other               --------------------------
 .section .text.other,"ax",@progbits
other:
.L_x_0:
        /*0000*/                   BRA `(.L_x_0);                                     /* 0xfffffffc00fc7947 */
                                                                                      /* 0x000fc0000383ffff */
 .section .nv.info,"",@"SHT_CUDA_INFO"
        /*0010*/                   EXIT ;                                             /* 0x000000000000794d */
                                                                                      /* 0x000fea0003800000 */
)";

}  // namespace

TEST_CASE("A listing is read by function and address, with the bits beside each instruction") {
  const Listing listing = read_listing(kListing);
  REQUIRE(listing.size() == 2);
  const auto& twice = listing.at("_Z5twicePKfPfi");
  REQUIRE(twice.size() == 4);
  CHECK(twice.at(0).text == "LDC R1, c[0x0][0x28]");
  CHECK(twice.at(0).low == 0x00000a00ff017b82);
  CHECK(twice.at(0).high == 0x000fe20000000800);
  CHECK(listing.at("other").size() == 1);  // what stands in another section is no code
}

TEST_CASE("Labels become the addresses of their own function; what is nowhere keeps its name") {
  const Listing listing = read_listing(kListing);
  const auto& twice = listing.at("_Z5twicePKfPfi");
  CHECK(twice.at(0x10).text == "@!P0 BRA 0x30");
  CHECK(twice.at(0x20).text == "CALL.REL.NOINC $twice$f");
  CHECK(twice.at(0x30).text == "BRA 0x20");
  CHECK(listing.at("other").at(0).text == "BRA 0x0");
}

TEST_CASE("Line ends of Windows, quoted sections and columns elsewhere are read alike") {
  const Listing listing = read_listing(
      "\t.section\t\".text.f\",\"ax\"\r\n/*0000*/ "
      "EXIT;/*0x000000000000794d*/\r\n/*0x000fea0003800000*/\r\n");
  REQUIRE(listing.contains("f"));
  CHECK(listing.at("f").at(0).text == "EXIT");
  CHECK(listing.at("f").at(0).high == 0x000fea0003800000);
}

TEST_CASE("What cannot be shown to a person is left out") {
  const auto of = [](const std::string& text) {
    const Listing listing =
        read_listing(".section .text.f\n/*0000*/ " + text + " ; /* 0x1 */\n/* 0x2 */\n");
    return listing.at("f").size();
  };
  CHECK(of("MOV R1, R2") == 1);
  CHECK(of("MOV \x1b[31mR1") == 0);
  CHECK(of("MOV \xff R1") == 0);
  CHECK(of("") == 0);
  CHECK(of(std::string(401, 'A')) == 0);
  CHECK(of("BRA `(") == 1);  // no end: as it stands
}

TEST_CASE("Nothing, noise and other programs' words give no instruction") {
  for (const std::string& text :
       {std::string(), std::string("\n\n\n"), std::string("nvdisasm fatal : no\n"),
        std::string(100'000, ';'), std::string(1000, '\0'),
        std::string(".section .text.f\n/*zz*/ EXIT ; /* 0x1 */\n/*0*/ EXIT /* 0x1 */\n/*0*/\n/*0"),
        std::string("/*0000*/ EXIT ; /* 0x1 */\n")}) {
    const Listing listing = read_listing(text);
    for (const auto& [name, instructions] : listing) CHECK(instructions.empty());
  }
}

TEST_CASE("A damaged listing gives printable words or none") {
  std::mt19937 random(11);
  for (int round = 0; round < 4000; ++round) {
    std::string damaged = kListing;
    for (int i = 0; i < 8; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    if (round % 3 == 0) damaged.resize(random() % damaged.size());
    for (const auto& [name, instructions] : read_listing(damaged)) {
      for (const auto& [address, one] : instructions) {
        CHECK(one.text.size() <= 400);
        CHECK(one.text.find_first_of("\n\t\x1b") == std::string::npos);
      }
    }
  }
}

}  // namespace warpbook::tests::listing_test
