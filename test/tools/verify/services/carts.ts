const money = (centAmount: number, currencyCode: string) => ({ fractionDigits: 2, centAmount, currencyCode })
const label = (key: string) => ({ key, label: key.toUpperCase() })

const toCart = (
  currency: string,
  count: number,
  images: readonly string[],
  more: Readonly<Record<string, unknown>>,
) => ({
  cartId: `cart-${currency}`,
  cartVersion: '3',
  lineItems: [
    {
      lineItemId: 'line-1',
      productId: 'product-1',
      name: 'Shoe',
      type: 'variant',
      count,
      price: money(4900, currency),
      discountTexts: [],
      discounts: [],
      totalPrice: money(4900 * count, currency),
      variant: {
        id: 'variant-1',
        sku: 'S-1',
        images,
        groupId: 'group-1',
        attributes: {
          articleNumberManufacturer: 'M1',
          articleNumberMax: 'X1',
          matrixId: 'm',
          baseId: 'b',
          size: '40',
          colorFreeDefinition: 'red',
          season: 'summer',
          designer: label('jil'),
          madeInItaly: label('no'),
          commonSize: label('40'),
          color: label('red'),
          style: label('plain'),
          gender: label('all'),
        },
        price: money(4900, currency),
        isOnStock: true,
      },
      isGift: false,
      _url: '/shoe/p/1',
    },
  ],
  sum: money(4900 * count, currency),
  shippingAddress: {},
  billingAddress: {},
  payments: [],
  discountCodes: [],
  ...more,
})

export const NUMBERED_CART = toCart('EUR', 2, ['https://example.com/1.png'], {})
export const TERSE_CART = toCart('USD', 1, ['https://example.com/2.jpg', 'https://example.com/3.jpg'], {
  email: 'a@b.c',
})
