// Coefficients of the polynomials, printed by tests/unit/mathematics/coefficients.py, with their relative errors.
#pragma once

namespace qd::mathematics {

// Each belongs to a formula whose first terms are known: sin(x) = x + x * z * P(z) with z = x * x, and so on.
inline constexpr double kSinSingles[] = {-0x1.555556p-3, 0x1.111174p-7, -0x1.a0593p-13, 0x1.7c1a2ap-19};  // 2**-32.5
inline constexpr double kSinDoubles[] = {-0x1.5555555555555p-3, 0x1.111111111106ap-7,   -0x1.a01a019ffea57p-13,
                                         0x1.71de3a343aeb3p-19, -0x1.ae642d42cfdcap-26, 0x1.610a70f3ab1efp-33,
                                         -0x1.a061cbd2b82b4p-41};                          // 2**-63.2
inline constexpr double kCosSingles[] = {0x1.55554ap-5, -0x1.6c0c22p-10, 0x1.99e524p-16};  // 2**-32.9
inline constexpr double kCosDoubles[] = {0x1.555555555554ap-5,  -0x1.6c16c16c14ep-10,
                                         0x1.a01a019c5c387p-16, -0x1.27e4f7cd30b8fp-22,
                                         0x1.1ee9c334d5fb4p-29, -0x1.8f99cb320a9d7p-37};  // 2**-63.8
inline constexpr double kTanSingles[] = {0x1.555562p-2, 0x1.110d1ap-3,   0x1.baf0b8p-5, 0x1.5bd5d2p-6,
                                         0x1.678364p-7, -0x1.58e02ep-14, 0x1.244fecp-8};  // 2**-29.0
inline constexpr double kTanDoubles[] = {
    0x1.55555555554e4p-2,   0x1.11111111191b6p-3,  0x1.ba1ba1b3ba859p-5,   0x1.664f49c96bf41p-6,  0x1.226e0ebc358cp-7,
    0x1.d6d9b5d8171dfp-9,   0x1.7d55348434a9dp-10, 0x1.382e35193d2e8p-11,  0x1.d010bf1d5b95fp-13, 0x1.230bb2557e211p-13,
    -0x1.efff99b075b1bp-16, 0x1.836efc0e2ce4ap-14, -0x1.85aa5a0ea9c91p-15, 0x1.64617e95eb96fp-16};  // 2**-56.0
inline constexpr double kExpSingles[] = {0x1.fffffcp-2, 0x1.55548cp-3, 0x1.55585ap-5, 0x1.123d72p-7,
                                         0x1.6ab8cap-10};  // 2**-28.2
inline constexpr double kExpDoubles[] = {0x1.000000000000ap-1,  0x1.55555555555p-3,    0x1.55555555505f5p-5,
                                         0x1.1111111125aa6p-7,  0x1.6c16c184bb788p-10, 0x1.a01a01384a078p-13,
                                         0x1.a019985d8b42dp-16, 0x1.71df034475953p-19, 0x1.28af36546483p-22,
                                         0x1.adb6d26f5a034p-26};  // 2**-57.1
inline constexpr double kLogSingles[] = {0x1.555554p-2, -0x1.000226p-2, 0x1.99a008p-3, -0x1.547246p-3,
                                         0x1.22da2p-3,  -0x1.0d853ap-3, 0x1.055b6cp-3, -0x1.38b5cep-4};  // 2**-27.2
inline constexpr double kLogDoubles[] = {
    0x1.555555555556bp-2, -0x1.ffffffffffe7bp-3, 0x1.9999999994dcbp-3, -0x1.555555556b1cfp-3,
    0x1.249249275d208p-3, -0x1.fffffff3a68c1p-4, 0x1.c71c702e33901p-4, -0x1.99999aa0ab879p-4,
    0x1.745d58ced8b74p-4, -0x1.555576b905c89p-4, 0x1.3b0d78e554b49p-4, -0x1.24894bfa5e758p-4,
    0x1.1169ff62f49ecp-4, -0x1.00cfa57202772p-4, 0x1.dc97cab39691cp-5, -0x1.b45e82a509648p-5,
    0x1.bbac9ebf1547bp-5, -0x1.01069de9e5765p-4, 0x1.d2b0f5a2d63c8p-5, -0x1.8dbf1eeeec17fp-6};  // 2**-57.5
inline constexpr double kLogNear[] = {0x1.5555555555555p-2, -0x1.p-2,
                                      0x1.99999999999d8p-3, -0x1.55555555555a5p-3,
                                      0x1.2492491eaf8bfp-3, -0x1.fffffff3018dap-4,
                                      0x1.c7237e0d1badcp-4, -0x1.99a097245cbafp-4};  // 2**-70.6
inline constexpr double kPowLog[] = {
    0x1.71547652b58f9p0,   -0x1.71547651b715cp-1, 0x1.ec709de33b87cp-2,  -0x1.715478882756ap-2, 0x1.2776b6cd302dep-2,
    -0x1.ec6f2e094084cp-3, 0x1.a61b7dcce431ep-3,  -0x1.7188d263df1fcp-3, 0x1.481fac1a3cd4p-3,   -0x1.23d6566a2f835p-3,
    0x1.0acdff23fe113p-3,  -0x1.13b88315254b1p-3, 0x1.0f623443d3af6p-3,  -0x1.1da645615a09ap-4};  // 2**-38.5
inline constexpr double kPowExp[] = {0x1.62e42fb75dcbp-1, 0x1.ebfbdf75c8c4fp-3, 0x1.c6be695fa840bp-5,
                                     0x1.3b3df667a365cp-7};                                               // 2**-33.5
inline constexpr double kSinhSingles[] = {0x1.555556p-3, 0x1.1110e2p-7, 0x1.a02128p-13, 0x1.75b62ep-19};  // 2**-31.6
inline constexpr double kSinhDoubles[] = {0x1.5555555555555p-3,  0x1.111111111119ap-7, 0x1.a01a01a0077cep-13,
                                          0x1.71de3a6860d97p-19, 0x1.ae6441c71988p-26, 0x1.6130d09e2e135p-33,
                                          0x1.a6c3217c2a04dp-41, 0x1.c4bf9cf4a826bp-48};  // 2**-62.9
inline constexpr double kTanhSingles[] = {-0x1.555532p-2, 0x1.1106f6p-3, -0x1.b835a6p-5, 0x1.51f916p-6,
                                          -0x1.75101cp-8};  // 2**-27.7
inline constexpr double kTanhDoubles[] = {
    -0x1.5555555555552p-2,  0x1.1111111110c44p-3,  -0x1.ba1ba1b9d071ap-5,  0x1.664f487077ae8p-6,
    -0x1.226e32c533d57p-7,  0x1.d6d3587db91b9p-9,  -0x1.7d9c1b83b5ceap-10, 0x1.350ab5752172ap-11,
    -0x1.f109c1bfc893dp-13, 0x1.7ff8a9a435324p-14, -0x1.fa3448ad32dc5p-16, 0x1.94fe2ed4367a6p-18};  // 2**-61.1
inline constexpr double kAsinSingles[] = {0x1.55554cp-3, 0x1.3338acp-4, 0x1.6ca808p-5,
                                          0x1.04c26ep-5, 0x1.d7047ap-7, 0x1.33bc4p-5};  // 2**-31.0
inline constexpr double kAsinDoubles[] = {
    0x1.5555555555577p-3, 0x1.333333332e109p-4,  0x1.6db6db721562fp-5, 0x1.f1c71a9389438p-6, 0x1.6e8bdf0e81743p-6,
    0x1.1c49ecbea6901p-6, 0x1.ca1febd3ea178p-7,  0x1.75824e358e76fp-7, 0x1.614fc0d1530cdp-7, 0x1.e4c44bd37bcd3p-9,
    0x1.63fd8a7a4d3e7p-6, -0x1.588c8e781c294p-6, 0x1.0b752815819c6p-5};  // 2**-59.9
inline constexpr double kAtanSingles[] = {-0x1.555552p-2, 0x1.99981cp-3, -0x1.24762p-3,  0x1.c5117p-4,
                                          -0x1.6953bcp-4, 0x1.150ap-4,   -0x1.7080bcp-5, 0x1.75304cp-6,
                                          -0x1.e6a118p-8, 0x1.2968aep-10};  // 2**-31.0
inline constexpr double kAtanDoubles[] = {
    -0x1.5555555555526p-2, 0x1.99999999955b1p-3,  -0x1.249249237f49fp-3,  0x1.c71c717fcc1fcp-4,
    -0x1.745d11ae3a9bep-4, 0x1.3b1366979da25p-4,  -0x1.110e511330d6p-4,   0x1.e1bba58d0031ap-5,
    -0x1.ae5e6f14e3e4ep-5, 0x1.82dacbce4e9a4p-5,  -0x1.59a3e1ce62baap-5,  0x1.2c2e23f47bdfdp-5,
    -0x1.e9f961e189d97p-6, 0x1.683bfff077819p-6,  -0x1.c78e61ad812bcp-7,  0x1.d7b739535d239p-8,
    -0x1.7a37b0f02f40dp-9, 0x1.b3f830393d7ebp-11, -0x1.3f341e1c9c0b6p-13, 0x1.bbea3b726ca94p-17};  // 2**-57.6

}  // namespace qd::mathematics
